(function () {
  var catalogue = new Catalogue(window.OBS_CONFIG);
  var body = document.querySelector('#targets tbody');
  var note = document.querySelector('#note');
  var sortBy = 'name';
  var rows = [];

  function cell(text) {
    var td = document.createElement('td');
    td.textContent = text;
    return td;
  }

  function draw() {
    body.textContent = '';
    rows.slice().sort(function (a, b) { return a[sortBy] < b[sortBy] ? -1 : 1; }).forEach(function (target) {
      var tr = document.createElement('tr');
      [target.name, target.ra, target.dec, target.mag].forEach(function (value) { tr.appendChild(cell(value)); });
      body.appendChild(tr);
    });
    note.textContent = rows.length ? rows.length + ' targets' : 'The catalogue has no targets.';
  }

  document.querySelectorAll('[data-sort]').forEach(function (head) {
    head.addEventListener('click', function () { sortBy = head.dataset.sort; draw(); });
  });

  catalogue.epoch().then(function (epoch) { document.querySelector('#epoch').textContent = epoch; });
  catalogue.targets().then(function (list) { rows = list; draw(); });

  fetch('/api/targets/favourites').then(function (response) {
    if (response.status === 404) console.info('no favourites yet');
  });
})();
