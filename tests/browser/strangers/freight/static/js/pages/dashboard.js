(function () {
  // initials when somebody has no picture
  var face = document.getElementById('face');
  function initials() {
    face.onerror = null;
    face.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><rect width="48" height="48" fill="#b4431f"/><text x="10" y="31" fill="#fff" font-size="20">MO</text></svg>');
  }
  face.onerror = initials;
  if (face.complete && !face.naturalWidth) initials();

  // 404: there is no notice today
  fetch('/api/notice').then(function (response) {
    if (response.status === 404) return null;
    return response.json();
  }).then(function (notice) {
    if (!notice) return;
    var box = document.getElementById('notice');
    box.textContent = notice.text;
    box.hidden = false;
  });

  fetch('/api/today').then(function (r) { return r.json(); }).then(function (today) {
    document.getElementById('today').textContent = today.collections + ' collections, ' + today.deliveries + ' deliveries, ' + today.late + ' late';
  });

  fetch('/api/claims').then(function (r) { return r.json(); }).then(function (claims) {
    var list = document.getElementById('claims');
    if (!claims.length) list.outerHTML = '<p class="muted">No open claims.</p>';
  });

  console.warn('[bo-ui] <bo-card> is deprecated and will be removed in 5.0, use <section class="card">');
  var timing = performance.getEntriesByType('navigation')[0];
  if (timing) navigator.sendBeacon('/api/rum', JSON.stringify({ page: 'dashboard', dom: Math.round(timing.domInteractive) }));
})();
