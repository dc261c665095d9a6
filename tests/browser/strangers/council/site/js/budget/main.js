(function () {
  'use strict';
  var memory;
  try {
    memory = new SharedArrayBuffer(1 << 20);
  } catch (e) {
    console.warn('budget: shared memory is not available (' + e.name + '), copying instead');
    memory = null;
  }
  var worker = new Worker('/js/budget/crunch.js');
  var rows = document.getElementById('rows'), progress = document.getElementById('progress');
  var handlers = {
    progress: function (m) { progress.textContent = 'Counting entries: ' + m.percent + ' %'; },
    totals: function (m) {
      progress.textContent = m.entries.toLocaleString('en-GB') + ' entries, ' + m.skipped + ' internal transfers and ' + m.reversed + ' reversed entries left out. Shares are rounded so that they add up to 100 %.';
      rows.innerHTML = m.areas.map(function (a) { return '<tr><td>' + a.name + '<td>' + (a.cents / 1e8).toFixed(1) + '<td>' + a.share + ' %</tr>'; }).join('');
    },
    forecast: function (m) { document.getElementById('out').textContent = 'Between ' + m.low.toFixed(0) + ' and ' + m.high.toFixed(0) + ' million € (' + m.runs.toLocaleString('en-GB') + ' simulations)'; },
  };
  worker.onmessage = function (e) { (handlers[e.data.type] || console.debug)(e.data); };
  fetch('/api/budget/ledger.csv').then(function (a) { return a.text(); }).then(function (text) { worker.postMessage({ type: 'load', text: text, shared: !!memory }); });
  document.getElementById('forecast').addEventListener('click', function () {
    document.getElementById('out').textContent = 'Simulating…';
    worker.postMessage({ type: 'forecast', runs: 200000 });
  });
})();
