(function () {
  function $(id) { return document.getElementById(id); }

  Stats.year().then(function (series) {
    $('total').textContent = series.total.toLocaleString('en') + ' visitors in ' + series.year;
    $('groups').textContent = series.groups + ' school classes and groups';
    Chart.line($('chart'), series);
  }).catch(function (error) {
    $('total').textContent = 'No numbers yet';
    console.error(error);
  });

  Stats.origins().then(function (pairs) {
    $('origins').innerHTML = pairs.map(function (pair) { return '<li>' + pair[0] + ': ' + pair[1] + ' %</li>'; }).join('');
  });

  var font = new Image();
  font.onerror = function () { console.warn('visitors: sponsor logo is not there, text is shown'); };
  font.src = '/files/sponsor.png';
})();
