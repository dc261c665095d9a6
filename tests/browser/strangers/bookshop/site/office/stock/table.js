var StockTable = {
  row: function (r) {
    return '<tr><td>' + esc(r.sku) + '</td><td>' + esc(r.title) + '</td><td>' + esc(r.shelf) + '</td><td>' + esc(r.onHand) + '</td></tr>';
  },
  sum: function (rows) {
    var total = 0;
    rows.forEach(function (r) {
      total += r.onHand;
    });
    return total;
  },
  show: function (rows) {
    $('#rows').innerHTML = rows.map(StockTable.row).join('');
    $('#total').textContent = StockTable.sum(rows) + ' copies';
  }
};
