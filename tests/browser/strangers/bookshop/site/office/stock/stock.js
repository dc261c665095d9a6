ajax('GET', '/api/stock/levels', null, function (err, body) {
  if (err) { $('#rows').innerHTML = '<tr><td class="error">Stock could not be read.</td></tr>'; return; }
  StockTable.show(body.rows);
});

ajax('GET', '/api/stock/alerts', null, function (err, body) {
  if (err) return;
  $('#alerts').textContent = body.alerts.map(function (a) { return a.title + ': ' + a.text; }).join(', ');
});
