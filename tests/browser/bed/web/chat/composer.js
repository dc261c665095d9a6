// Writing, sending, attaching.
(function (Chat) {
  'use strict';
  var store = Chat.store;
  var draft = kit.$('#draft');
  var send = kit.$('#send');
  var pending = kit.$('#pending');
  var nonce = 0;
  var upload = null;

  function enable() {
    draft.disabled = false;
    send.disabled = false;
  }

  function waiting() {
    var room = store.state.room;
    var list = (room && store.state.messages[room.id]) || [];
    var count = list.filter(function (message) { return message.pending; }).length;
    pending.textContent = count ? count + ' not sent yet' : '';
  }

  kit.$('#composer').addEventListener('submit', function (event) {
    event.preventDefault();
    var text = draft.value.trim();
    if (!text) return;
    nonce += 1;
    var message = { room: store.state.room.id, from: store.state.me.id, text: text, nonce: 'n' + nonce };
    store.addMessage(Object.assign({ pending: true }, message));
    Chat.line.send(Object.assign({ type: 'say' }, message));
    draft.value = '';
  });

  function photo() {
    var bytes = new Uint8Array(40000);
    for (var i = 0; i < bytes.length; i++) bytes[i] = (i * 31) & 255;
    return new Blob([bytes], { type: 'image/jpeg' });
  }

  kit.$('#attach').addEventListener('click', function () {
    upload = new AbortController();
    pending.textContent = 'Uploading…';
    Chat.http('POST', '/api/uploads', { body: photo(), controller: upload }).then(function (answer) {
      pending.textContent = '';
      Chat.line.send({ type: 'say', room: store.state.room.id, from: store.state.me.id, text: answer.url });
    }).catch(function (error) {
      pending.textContent = 'Photo was not sent.';
      console.warn('[composer] upload ended:', error.name);
    });
  });

  store.on('messages', waiting);
  Chat.line.on('message', function (frame) { store.addMessage(frame.message); });
  Chat.composer = { enable: enable };
})(window.Chat);
