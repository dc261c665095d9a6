(function () {
  var $id = document.getElementById.bind(document), chosen = null;
  var status = function (t) { $id('status').textContent = t; };

  function choose(service) {
    chosen = service;
    $id('days').innerHTML = '';
    status('Looking for appointments…');
    fetch('/api/registry/enquiries', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ service: service }) })
      .then(function (r) { return r.json(); })
      .then(function (job) { return untilReady(job.result, { waiting: function (n) { status('Asking the counters… (' + n + ')'); } }); })
      .then(function (data) {
        if (service !== chosen) return;
        status('');
        $id('days').innerHTML = data.days.map(function (d) {
          var body = d.closed ? '<span class="muted">' + d.closed + '</span>'
            : d.free.length ? d.free.map(function (t) { return '<button id="at-' + d.key + '-' + t.replace(':', '') + '" data-day="' + d.key + '" data-time="' + t + '">' + t + '</button> '; }).join('')
            : '<span class="muted">nothing free</span>';
          return '<div class="card"><b>' + d.label + '</b> ' + body + '</div>';
        }).join('');
      })
      .catch(function (e) { console.error(e); status('Appointments cannot be shown. Please call 55 21 60.'); });
  }

  fetch('/api/registry/mine').then(function (r) {
    $id('mine').textContent = r.status === 401 ? 'Sign in to see the appointments you have.' : '';
  });
  fetch('/api/registry/announcement').then(function (r) { return r.status === 404 ? null : r.json(); })
    .then(function (a) { if (a) status(a.text); });
  window.matchMedia('print').addListener(function (m) { if (m.matches) console.debug('printing'); });

  document.addEventListener('click', function (e) {
    var d = e.target.dataset || {};
    if (d.service) choose(d.service);
    if (d.time) fetch('/api/registry/appointments', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ service: chosen, day: d.day, time: d.time }) })
      .then(function (r) { return r.json(); })
      .then(function (a) {
        $id('days').innerHTML = '';
        $id('slip').innerHTML = '<div class="card"><b class="ok">Reserved: ' + a.label + ', ' + a.time + '</b><br>Counter ' + (a.counter || 'on the screen in the hall') + '<br><button onclick="print()">Print</button></div>';
      });
  });
})();
