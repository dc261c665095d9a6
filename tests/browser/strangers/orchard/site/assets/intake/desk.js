(function () {
  var form = document.getElementById('note');
  var status = document.getElementById('status');
  var button = form.querySelector('button');

  var messages = {
    400: 'The delivery note could not be read. Is the scan sharp enough?',
    413: 'The scan is too large.'
  };

  function scan() {
    var text = 'Delivery note\n' + form.elements.farm.value + '\n' + form.elements.crates.value + ' crates\n';
    return new Blob([text], { type: 'text/plain' });
  }

  function draft() {
    return Http.put('/api/intake/draft', { farm: form.elements.farm.value, crates: form.elements.crates.value }).catch(function (problem) {
      console.info('draft is not kept:', problem.status);
    });
  }

  function send() {
    var data = new FormData();
    data.append('farm', form.elements.farm.value);
    data.append('crates', form.elements.crates.value);
    data.append('grader', form.elements.grader.value);
    data.append('scan', scan(), 'note.txt');
    return Http.post('/api/intake/notes', data);
  }

  form.addEventListener('submit', function (event) {
    event.preventDefault();
    button.disabled = true;
    status.textContent = 'Sending …';
    send().then(function () {
      status.textContent = 'The delivery note is filed.';
      form.reset();
    }, function (problem) {
      status.textContent = messages[problem.status] || 'The note was not taken.';
    }).then(draft).then(function () { button.disabled = false; });
  });

  Http.get('/api/intake/graders').then(function (names) {
    names.forEach(function (name) {
      var option = document.createElement('option');
      option.textContent = name;
      form.elements.grader.appendChild(option);
    });
  });
})();
