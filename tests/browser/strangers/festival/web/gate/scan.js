(function () {
  var form = document.getElementById('scan');
  var code = document.getElementById('code');
  var result = document.getElementById('result');

  function show(kind, text) {
    result.className = 'card ' + kind;
    result.innerHTML = '';
    result.appendChild(document.createTextNode(text));
  }

  function ruled(error, ticket) {
    if (error !== null || !ticket) {
      show('alert', 'Ticket not known. Send the guest to the help desk.');
      return;
    }
    show('', ticket.holder + ' – ' + ticket.kind + ' – ' + ticket.state);
  }

  form.onsubmit = function () {
    var value = code.value.replace(/\s+/g, '').toUpperCase();
    if (value) {
      show('muted', 'Looking …');
      Net.get('/api/gate/tickets/' + encodeURIComponent(value), ruled);
    }
    return false;
  };

  Net.get('/api/gate/lane', function (error, lane) {
    document.getElementById('lane').innerText = lane ? lane.lane + ', ' + lane.scanned + ' guests today' : '';
  });
})();
