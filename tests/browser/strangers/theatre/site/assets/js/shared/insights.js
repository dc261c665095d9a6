/* Visits, counted without cookies. data-sink names where to. */
(function () {
  const me = document.currentScript;
  const sink = me.dataset.sink || '/t/hit';
  function hit(kind, detail) {
    const body = JSON.stringify({ kind, detail, path: location.pathname, at: Date.now() });
    return fetch(sink, { method: 'POST', body, keepalive: true, headers: { 'Content-Type': 'text/plain' } })
      .catch(() => { /* visits are nice to have */ });
  }
  window.insights = { hit };
  setTimeout(() => hit('view'), Number(me.dataset.after || 50));
})();
