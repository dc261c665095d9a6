(function () {
  'use strict';
  var ref = document.getElementById('ref').textContent;
  var history = document.getElementById('history');

  function add(entry) {
    var li = document.createElement('li');
    li.textContent = entry.at + ' ' + entry.step;
    history.appendChild(li);
    document.getElementById('step').textContent = entry.step;
  }

  function subscribe() {
    var source = new EventSource('/api/track/' + ref + '/events');
    source.onopen = function () {
      document.getElementById('live').textContent = 'Live. New steps appear here by themselves.';
    };
    source.onmessage = function (ev) {
      add(JSON.parse(ev.data));
    };
    source.onerror = function () {
      document.getElementById('live').textContent = 'Connection lost, trying again…';
    };
  }

  fetch('/api/track/' + ref)
    .then(function (r) { return r.json(); })
    .then(function (request) {
      request.history.forEach(add);
      subscribe();
    });
})();
