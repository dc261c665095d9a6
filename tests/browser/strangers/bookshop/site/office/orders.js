(function () {
  'use strict';

  var list = { rows: [], next: null, total: 0 };

  function draw() {
    $('#orders').innerHTML = list.rows.map(function (o) {
      return '<tr><td>' + esc(o.number) + '</td><td>' + esc(o.customer) + '</td><td>' + (o.total / 100).toFixed(2) +
        '</td><td>' + esc(o.status) + '</td></tr>';
    }).join('');
    $('#shown').textContent = list.rows.length + ' of ' + list.total;
    $('#more').disabled = list.rows.length >= list.total;
  }

  function fetchPage(query) {
    ajax('GET', '/api/orders?limit=5' + query, null, function (err, body) {
      if (err) { $('#shown').textContent = 'Orders could not be read.'; return; }
      list.rows = list.rows.concat(body.items);
      list.next = body.nextCursor;
      list.total = body.total;
      draw();
    });
  }

  $('#more').addEventListener('click', function () {
    fetchPage('&cursor=' + list.next);
  });

  fetchPage('');
})();
