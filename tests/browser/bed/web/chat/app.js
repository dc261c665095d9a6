(function (Chat) {
  'use strict';
  var store = Chat.store;

  Chat.line.on('line', function (state) { kit.$('#status').textContent = state; });

  function contacts() {
    return Chat.get('/api/contacts', { limit: 8000 }).then(function (answer) {
      var byId = {};
      answer.people.forEach(function (person) { byId[person.id] = person; });
      store.set('contacts', byId);
    });
  }

  Chat.get('/api/me').then(function (me) {
    store.set('me', me);
    Chat.line.connect();
    return Chat.get('/api/rooms');
  }).then(function (answer) {
    store.set('rooms', answer.rooms);
    return Promise.all([Chat.rooms.open(answer.rooms[0]), contacts()]);
  }).then(function () {
    Chat.composer.enable();
  });

  // For clients behind a proxy that lets no socket through: the server holds the answer until there is news.
  function news() {
    Chat.get('/api/news?wait=25', { limit: 30000 }).then(function (answer) {
      if (answer) answer.messages.forEach(store.addMessage);
      news();
    }).catch(function (error) {
      setTimeout(news, error.name === 'AbortError' ? 50 : 5000);
    });
  }

  news();

  Chat.get('/api/unread').then(function (answer) {
    document.title = (answer.count ? '(' + answer.count + ') ' : '') + 'Kettle – team chat';
  }).catch(function () { console.debug('[app] unread counter off'); });

  addEventListener('unload', function () {});
})(window.Chat);
