(function () {
  var plot = window.Plot;
  var figure = document.getElementById('plot');
  window.Results.load(12).then(function (result) {
    document.getElementById('counted').textContent = result.counted + ' of ' + result.stations + ' stations counted';
    if (plot) plot.bars(figure, result.shares);
    figure.setAttribute('aria-busy', 'false');
  });
})();
