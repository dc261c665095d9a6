/* The head of every page. */
(function () {
  var LINKS = [['/home', 'Cooperative'], ['/deliveries', 'Deliveries'], ['/storage', 'Storage'], ['/orders', 'Orders'], ['/auction', 'Auction']];
  var head = document.createElement('header');
  head.className = 'top';
  LINKS.forEach(function (link) {
    var a = document.createElement('a');
    a.href = link[0];
    a.textContent = link[1];
    head.appendChild(a);
  });
  var who = document.createElement('span');
  who.className = 'who';
  head.appendChild(who);
  document.body.insertBefore(head, document.body.firstChild);
  if ('guest' in document.documentElement.dataset) return;
  fetch('/api/me').then(function (answer) { return answer.json(); }).then(function (me) {
    who.textContent = me.name + ', ' + me.farm;
    return fetch('/api/notices/count');
  }).then(function (answer) { return answer.json(); }).then(function (count) {
    if (count.unread) who.textContent += ' (' + count.unread + ')';
  }).catch(function () { who.textContent = ''; });
})();
