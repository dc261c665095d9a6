/* Visitor statistics. Runs only if the collector can be reached. */
(function (w, d) {
  var HOST = 'http://127.0.0.1:@@NOBODY@@';
  var queue = w._ins = w._ins || [];
  function flush() {
    if (!queue.length) return;
    fetch(HOST + '/collect', { method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify(queue.splice(0)) })
      .catch(function (e) { console.debug('insights: not sent', e.message); });
  }
  queue.push({ t: 'view', p: location.pathname });
  var px = new Image(1, 1);
  px.src = HOST + '/px.gif?p=' + encodeURIComponent(location.pathname);
  d.addEventListener('click', function (e) {
    queue.push({ t: 'click', n: e.target.tagName });
    if (queue.length > 4) flush();
  }, { passive: true });
  w.addEventListener('pagehide', flush);
  setTimeout(flush, 600);
})(window, document);
