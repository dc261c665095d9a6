/* The evening, line by line. */
(function () {
  'use strict';
  var last = 0;
  var list = document.getElementById('ticker');
  var state = document.getElementById('state');

  function line(message) {
    if (message.no <= last) return;
    last = message.no;
    var li = document.createElement('li');
    li.textContent = message.text;
    list.appendChild(li);
    while (list.children.length > 50) list.removeChild(list.firstChild);
  }

  function connect(delay) {
    setTimeout(function () {
      var socket = new WebSocket('ws://' + location.host + '/ws/live?after=' + last);
      socket.onopen = function () { state.textContent = 'live'; delay = 300; };
      socket.onmessage = function (event) { line(JSON.parse(event.data)); };
      socket.onclose = function (event) {
        console.warn('ticker: line closed (' + event.code + '), again');
        connect(Math.min(5000, delay * 2));
      };
    }, delay);
  }

  connect(0);
  fetch('/api/live/camera').then(function (response) {
    if (!response.ok) return; // the camera is on at premieres only
    document.getElementById('camera').hidden = false;
  });
})();
