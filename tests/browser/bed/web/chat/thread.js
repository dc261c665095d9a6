// The messages of the open room.
(function (Chat) {
  'use strict';
  var store = Chat.store;

  function author(id) {
    var contact = store.state.contacts[id];
    return contact ? contact.name : id;
  }

  function line(message) {
    return kit.h('p', { 'data-id': message.id || '', class: message.pending ? 'muted' : null },
      kit.h('strong', null, author(message.from)), ' ', message.text, message.pending ? ' (sending)' : '');
  }

  function draw() {
    var room = store.state.room;
    if (!room) return;
    var list = store.state.messages[room.id] || [];
    kit.fill(kit.$('#thread'), list.length ? list.map(line) : kit.h('p', { class: 'muted' }, 'Nothing said here yet.'));
  }

  store.on('messages', draw);
  store.on('contacts', draw);
  Chat.thread = {
    draw: draw,
    broken: function () {
      kit.fill(kit.$('#thread'), kit.h('p', { class: 'alert', role: 'alert' }, 'This conversation could not be loaded.'));
    },
  };
})(window.Chat);
