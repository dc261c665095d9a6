(function () {
  // best effort: nobody waits for it
  window.addEventListener('load', function () {
    fetch('/api/news/metrics', { method: 'POST', body: JSON.stringify({ page: 'news' }), keepalive: true }).catch(function () {});
  });
})();
