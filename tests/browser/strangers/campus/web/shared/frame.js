(function () {
  var bar = document.querySelector('header');
  fetch('/api/portal/session').then(function (r) { return r.json(); }).then(function (who) {
    var span = document.createElement('span');
    span.textContent = who.name;
    bar.appendChild(span);
  });
  var dot = new Image();
  dot.onerror = function () { console.debug('[reach] not counted'); };
  dot.src = 'http://127.0.0.1:@@NOBODY@@/count.gif?p=' + encodeURIComponent(location.pathname);
  setInterval(function () { fetch('/api/portal/pulse', { method: 'POST', keepalive: true }).catch(function () {}); }, 2500);
})();
