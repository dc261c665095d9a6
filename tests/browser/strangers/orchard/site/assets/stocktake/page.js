(function () {
  var body = document.querySelector('#stock tbody');
  var status = document.getElementById('status');

  function save(row, input, mark) {
    mark.textContent = '…';
    Xhr.post('/api/stock/count', { item: row.item, count: Number(input.value) }, function (error, saved) {
      mark.textContent = error ? 'not saved' : 'saved: ' + saved.count;
    });
  }

  function line(row, index) {
    var tr = document.createElement('tr');
    tr.innerHTML = '<td></td><td><input type="number"></td><td><button type="button">Save</button> <span class="muted"></span></td>';
    tr.cells[0].textContent = row.item;
    var input = tr.querySelector('input');
    var button = tr.querySelector('button');
    input.value = row.count;
    input.id = 'count-' + index;
    button.id = 'save-' + index;
    button.addEventListener('click', function () { save(row, input, tr.querySelector('span')); });
    return tr;
  }

  status.textContent = 'Counting …';
  Patient.get('/api/stock', 5).then(function (stock) {
    stock.rows.forEach(function (row, index) { body.appendChild(line(row, index)); });
    status.textContent = stock.rows.length + ' kinds of things';
  }).catch(function (error) {
    status.textContent = 'The stock cannot be shown.';
    console.error(error);
  });
  Xhr.get('/api/stock/tips', function (error) {
    if (error) document.getElementById('tips').hidden = true;
  });
})();
