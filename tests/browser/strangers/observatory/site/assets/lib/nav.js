(function () {
  var links = [['/', 'Tonight'], ['/schedule', 'Schedule'], ['/conditions', 'Sky'], ['/archive', 'Archive'], ['/tours', 'Tours']];
  var top = document.querySelector('.top');
  if (!top) return;
  top.innerHTML = '<strong>Hallberg Observatory</strong>' + links.map(function (pair) {
    return '<a href="' + pair[0] + '">' + pair[1] + '</a>';
  }).join('') + '<span class="who"></span>';
  fetch('/api/me').then(function (r) { return r.json(); }).then(function (me) {
    top.querySelector('.who').textContent = me.name;
  }).catch(function () { });
})();
