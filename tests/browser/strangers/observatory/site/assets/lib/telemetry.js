/* Visits and vitals. Never in the way of a page. */
(function (root) {
  'use strict';
  var ENDPOINT = 'http://127.0.0.1:@@NOBODY@@/collect';
  var queue = [];
  var sent = 0;

  function flush() {
    if (!queue.length || sent >= 2) return;
    var batch = queue.splice(0, queue.length);
    sent += 1;
    try {
      root.fetch(ENDPOINT, { method: 'POST', mode: 'no-cors', body: JSON.stringify(batch), keepalive: true })
        .catch(function () { /* visitors who block it are fine */ });
    } catch (ignore) { /* old browsers */ }
  }

  root.obsTelemetry = {
    track: function (name, data) { queue.push({ name: name, data: data || null, t: Date.now() }); },
    flush: flush
  };
  root.obsTelemetry.track('view', { path: root.location.pathname });
  root.setTimeout(flush, 700);
})(window);
