/* Plot 4.2: bars without dependencies */
(function (root) {
  function bars(target, rows) {
    var most = Math.max.apply(null, rows.map(function (row) { return row[1]; }));
    rows.forEach(function (row) {
      var bar = document.createElement('div');
      bar.className = 'bar';
      bar.style.width = Math.round((row[1] / most) * 100) + '%';
      bar.textContent = row[0] + ' ' + row[1] + ' %';
      target.appendChild(bar);
    });
  }
  root.Plot = { bars: bars, version: '4.2.0' };
})(window);
