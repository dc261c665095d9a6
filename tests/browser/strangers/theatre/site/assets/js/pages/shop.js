(function ($) {
  'use strict';

  var basket = { count: 0 };

  function price(n) { return n.toFixed(2) + ' EUR'; }

  function item(goods) {
    return '<div class="card row"><strong>' + goods.name + '</strong><span>' + price(goods.price) +
      '</span><button type="button" data-add="' + goods.id + '">Into the basket</button><span class="muted" id="stock-' + goods.id + '"></span></div>';
  }

  $(function () {
    console.warn('q: .live() is deprecated, use .on()');
    $.getJSON('/api/goods', function (answer) {
      $('#goods').html(answer.items.map(item).join(''));
      $.getJSON('/api/goods/stock', function (stock) {
        Object.keys(stock.stock).forEach(function (id) { $('#stock-' + id).text(stock.stock[id] + ' in stock'); });
      });
    });

    $('#goods').on('click', '[data-add]', function () {
      basket.count += 1;
      $('#basket').text(basket.count + ' in your basket');
    });

    // what others bought is asked for with time to spare, and left out if it takes too long
    $.ajax({
      url: '/api/goods/others', timeout: 2000,
      success: function (answer) { $('#others').html(answer.items.map(item).join('')); },
      error: function () { $('#others').html(''); }
    });
  });
})(window.$);
