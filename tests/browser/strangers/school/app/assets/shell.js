/* Frame of every page: announcements and page views. */
(function () {
  var base = document.documentElement.getAttribute('data-base');
  fetch(base + '/api/announcements').then(function (r) { return r.json(); }).then(function (body) {
    body.announcements.forEach(function (a) {
      var p = document.createElement('p');
      p.textContent = a.text;
      document.querySelector('header').appendChild(p);
    });
  });
  if (navigator.sendBeacon) navigator.sendBeacon(base + '/api/metrics', JSON.stringify({ view: location.pathname }));
})();
