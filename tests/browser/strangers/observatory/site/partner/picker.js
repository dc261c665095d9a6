(function () {
  var chosen = [];
  var host = document.getElementById('seats');
  function tell(type, more) { parent.postMessage(Object.assign({ type: 'seats:' + type }, more), '*'); }
  function draw() {
    host.innerHTML = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'].map(function (id) {
      return '<button class="' + (chosen.indexOf(id) < 0 ? '' : 'on') + '">' + id + '</button>';
    }).join('');
    document.getElementById('hint').textContent = chosen.length ? 'Chosen: ' + chosen.join(', ') : 'Choose your seats';
  }
  function toggle(id) {
    var at = chosen.indexOf(id);
    if (at < 0) chosen.push(id); else chosen.splice(at, 1);
    draw();
    tell('chosen', { seats: chosen.slice() });
  }
  host.addEventListener('click', function (event) { if (event.target.tagName === 'BUTTON') toggle(event.target.textContent); });
  addEventListener('message', function (event) {
    if (event.data && event.data.type === 'seats:best' && !chosen.length) {
      chosen = ['B1', 'B2', 'B3'].slice(0, event.data.people);
      draw();
      setTimeout(function () { tell('chosen', { seats: chosen.slice() }); }, 200);
    }
  });
  draw();
  tell('ready');
})();
