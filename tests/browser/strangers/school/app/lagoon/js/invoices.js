(function () {
  function get(url, done) {
    var xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.onload = function () {
      if (xhr.status === 200) done(JSON.parse(xhr.responseText));
    };
    xhr.send();
  }

  function render(invoices) {
    var rows = document.getElementById('rows');
    invoices.forEach(function (invoice) {
      var tr = rows.insertRow();
      tr.insertCell().textContent = invoice.id;
      tr.insertCell().textContent = invoice.issued;
      tr.insertCell().textContent = (invoice.amount_cents / 100).toFixed(2) + ' €';
      tr.insertCell().textContent = invoice.paid ? 'paid' : 'open';
    });
    if (invoices.length === 0) document.getElementById('note').textContent = 'You have no invoices yet.';
  }

  get('/lagoon/api/billing/invoices?page=1', function (body) {
    render(body.items || []);
  });
})();
