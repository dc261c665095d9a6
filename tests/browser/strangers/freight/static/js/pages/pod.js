(function () {
  var pad = document.getElementById('pad');
  var state = document.getElementById('state');
  var form = document.getElementById('pod');
  var signed = false;
  var TEXTS = { no_file: 'Please sign before you send.', network: 'No connection, try again later.' };

  document.getElementById('sign').addEventListener('click', function () {
    var pen = pad.getContext('2d');
    pen.beginPath();
    pen.moveTo(20, 60);
    for (var x = 20; x < 300; x += 8) pen.lineTo(x, 45 + 25 * Math.sin(x / 11));
    pen.stroke();
    signed = true;
    state.textContent = 'Signed';
  });

  form.addEventListener('submit', function (event) {
    event.preventDefault();
    if (!signed) { state.textContent = TEXTS.no_file; return; }
    state.textContent = 'Sending…';
    pad.toBlob(function (image) {
      Uploader.upload('/api/documents', {
        consignment: form.elements.consignment.value,
        receiver: form.elements.receiver.value,
        signature: image,
      }, { progress: function (part) { state.textContent = Math.round(part * 100) + ' %'; } })
        .then(function (made) { state.textContent = 'Stored as ' + made.name; })
        .catch(function (problem) { state.textContent = TEXTS[problem.code] || 'Could not be stored.'; });
    });
  });
})();
