/* Visits are counted by a neighbour's service. */
(function () {
  var target = 'http://127.0.0.1:@@NOBODY@@/collect';
  function send(kind, data) {
    var image = new Image();
    image.src = target + '?k=' + encodeURIComponent(kind) + '&d=' + encodeURIComponent(JSON.stringify(data || {}));
  }
  window.beacon = { send: send };
  window.addEventListener('load', function () {
    setTimeout(function () { send('view', { path: location.pathname, w: innerWidth }); }, 200);
  });
})();
