(function () {
  var box = document.getElementById('progress');
  var button = document.getElementById('go');

  function follow(id) {
    var source = new EventSource('/tundra/api/imports/' + id + '/events');
    source.addEventListener('progress', function (event) {
      var data = JSON.parse(event.data);
      box.textContent = data.progress + ' % imported';
      if (data.state === 'finished') {
        source.close();
        button.disabled = false;
        box.textContent = data.rows + ' students were imported.';
      }
    });
  }

  button.addEventListener('click', function () {
    button.disabled = true;
    box.textContent = 'Import is running…';
    fetch('/tundra/api/imports', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ source: 'campus' }) })
      .then(function (r) { return r.json(); })
      .then(function (body) { follow(body.import.id); });
  });
})();
