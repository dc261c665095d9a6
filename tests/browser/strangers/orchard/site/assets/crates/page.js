(function () {
  var finder = new CrateFinder({ base: '/api/crates' });
  var list = document.querySelector('#crates tbody');
  var detail = document.getElementById('detail');

  function row(crate, index) {
    var tr = document.createElement('tr');
    tr.innerHTML = '<td></td><td></td><td><button type="button">Open</button></td>';
    tr.cells[0].textContent = crate.fruit;
    tr.cells[1].textContent = 'Room ' + crate.room;
    tr.querySelector('button').id = 'open-' + index;
    tr.querySelector('button').addEventListener('click', function () { finder.open(crate); });
    return tr;
  }

  finder
    .on('list', function (crates) {
      crates.forEach(function (crate, index) { list.appendChild(row(crate, index)); });
      document.getElementById('status').textContent = crates.length + ' crates';
    })
    .on('opening', function (crate) { detail.textContent = 'Opening ' + crate.fruit + ' …'; })
    .on('crate', function (crate) {
      detail.textContent = crate.fruit + ', ' + crate.kilos + ' kg, picked ' + crate.picked;
    })
    .on('gone', function (crate) { detail.textContent = 'This crate of ' + crate.fruit + ' is no longer in the store.'; })
    .on('problem', function () { detail.textContent = 'The store does not answer.'; });

  finder.list();
  Xhr.get('/api/crates/scanner', function (error) {
    if (error) console.warn('scanner:', error.message);
  });
})();
