(function (Log) {
  var entries = Log.drafts.all();
  var voyage = null;

  function byId(id) { return document.getElementById(id); }

  function draw() {
    var list = byId('entries');
    list.innerHTML = '';
    if (!entries.length) list.innerHTML = '<li class="muted">No entries yet.</li>';
    entries.forEach(function (entry) {
      var item = document.createElement('li');
      item.textContent = new Date(entry.at).toLocaleString('en-GB') + ' ' + entry.voyage.from + ' – ' + entry.voyage.to + ': ' + entry.text;
      list.appendChild(item);
    });
  }

  function plot(track) {
    var pen = byId('plot').getContext('2d');
    pen.beginPath();
    for (var n = 0; n < track.length; n += 60) {
      pen.lineTo((track[n].lon - 11.4) * 500, (56.8 - track[n].lat) * 300);
    }
    pen.stroke();
  }

  byId('entry-form').addEventListener('submit', function (event) {
    event.preventDefault();
    var text = byId('entry').value;
    if (!voyage || !text) return;
    Log.drafts.add(text, voyage, function (entry) {
      entries.unshift(entry);
      byId('entry').value = '';
      byId('said').textContent = 'The entry is kept on this device.';
      draw();
    });
  });

  Log.loadVoyage(function (error, found) {
    if (error) { byId('said').textContent = 'The voyage cannot be loaded.'; return; }
    voyage = found;
    byId('title').textContent = found.from + ' – ' + found.to;
    byId('save-entry').disabled = false;
    plot(found.track);
  });

  var past = new XMLHttpRequest();
  past.open('GET', '/api/voyages/past');
  past.onload = function () {
    byId('past').textContent = JSON.parse(past.responseText).voyages.map(function (v) { return v.from + ' – ' + v.to + ' ' + v.nm + ' nm'; }).join(', ');
  };
  past.send();

  try {
    if (localStorage.getItem('log:theme') === null) console.warn('log: no theme is chosen, the light one is used');
  } catch (e) { /* the light one, then */ }
  draw();
})(window.Log);
