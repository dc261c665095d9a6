// The line to the server. Frames are {type, ...}; listeners subscribe to a type.
(function (Chat) {
  'use strict';
  var events = kit.emitter();
  var socket = null;
  var outbox = [];
  var tries = 0;

  function address() {
    return location.origin.replace(/^http/, 'ws') + Chat.base + '/ws?client=web';
  }

  function connect() {
    socket = new WebSocket(address());
    socket.onopen = function () {
      tries = 0;
      events.emit('line', 'online');
      outbox.splice(0).forEach(function (frame) { socket.send(frame); });
    };
    socket.onmessage = function (event) {
      var frame = JSON.parse(event.data);
      events.emit(frame.type, frame);
    };
    socket.onclose = function (event) {
      events.emit('line', 'offline');
      if (event.code !== 1000 && tries < 3) {
        tries += 1;
        setTimeout(connect, 250 * tries);
      }
    };
  }

  Chat.line = {
    connect: connect,
    on: events.on,
    emit: events.emit,
    send: function (frame) {
      var text = JSON.stringify(frame);
      if (socket && socket.readyState === WebSocket.OPEN) socket.send(text);
      else outbox.push(text);
    },
  };
})(window.Chat);
