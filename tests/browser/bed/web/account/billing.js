// Invoices come from the payment provider, not from us.
(function (ns) {
  function row(invoice) {
    return kit.h('tr', null,
      kit.h('td', null, invoice.number),
      kit.h('td', null, invoice.date),
      kit.h('td', null, kit.money(invoice.amount / 100, invoice.currency)));
  }

  ns.showBilling = function (customer) {
    var url = document.documentElement.getAttribute('data-other') + '/v2/customers/' + customer + '/invoices';
    var box = kit.$('#billing');
    return fetch(url, { credentials: 'omit' })
      .then(function (response) { return response.json(); })
      .then(function (answer) {
        kit.fill(box, [
          kit.h('h2', null, 'Invoices'),
          kit.h('table', null, kit.h('tbody', null, answer.data.map(row))),
        ]);
      })
      .catch(function (error) {
        console.error('[billing]', error);
        kit.fill(box, [kit.h('h2', null, 'Invoices'), kit.h('p', { class: 'alert', role: 'alert' }, 'Invoices are not available.')]);
      });
  };
})(Account);
