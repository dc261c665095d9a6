function row(article) {
  return '<tr><td>' + $.esc(article.article) + '</td><td>' + article.left + ' left</td><td><button class="order" data-article="' +
    $.esc(article.article) + '">Order 20</button></td></tr>';
}

function loadStock() {
  $.getJSON('/api/stock', function (articles) { $('#stock').html(articles.map(row).join('')); });
}

function loadOrders() {
  $.getJSON('/api/stock/orders', function (orders) {
    $('#orders').html(orders.map(function (one) {
      return '<li>No. ' + one.no + ': ' + one.amount + ' × ' + $.esc(one.article) + '</li>';
    }).join(''));
  });
}

function init() {
  loadStock();
  loadOrders();
  $('#stock').on('click', '.order', function () {
    Shell.status('Ordering…');
    $.postJSON('/api/stock/orders', { article: $(this).data('article'), amount: 20 }, function (made) {
      Shell.status('Ordered, no. ' + made.no);
      loadOrders();
    });
  });
}

$(init);
Shell.onShow(init); // also when one comes back to the page
