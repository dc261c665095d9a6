// The list of rooms; opening one fetches what was said there.
(function (Chat) {
  'use strict';
  var store = Chat.store;
  var opening = null;

  function open(room) {
    if (opening) opening.abort();
    opening = new AbortController();
    store.set('room', room);
    return Chat.get('/api/rooms/' + room.id + '/history', { controller: opening }).then(function (answer) {
      answer.messages.forEach(store.addMessage);
      store.set('messages', store.state.messages);
    }).catch(function (error) {
      if (error.name === 'AbortError') return;
      console.error('[rooms] history of ' + room.name + ' failed:', error.message);
      Chat.thread.broken();
    });
  }

  function draw() {
    kit.fill(kit.$('#rooms'), store.state.rooms.map(function (room) {
      return kit.h('button', {
        id: 'room-' + room.id,
        'aria-current': room === store.state.room ? 'true' : null,
        onclick: function () { open(room); },
      }, '# ' + room.name);
    }));
  }

  store.on('rooms', draw);
  store.on('room', draw);
  Chat.rooms = { open: open, current: function () { return opening; } };
})(window.Chat);
