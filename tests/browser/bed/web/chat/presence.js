// Who is here and who is typing.
(function (Chat) {
  'use strict';
  var store = Chat.store;
  var box = kit.$('#people');

  function draw() {
    var typing = store.state.typing;
    kit.fill(box, [
      kit.h('h2', null, 'Here now'),
      kit.h('ul', null, store.state.people.map(function (person) {
        return kit.h('li', null, person.name, typing.indexOf(person.id) >= 0 ? ' is typing' : '');
      })),
    ]);
  }

  Chat.line.on('presence', function (frame) { store.set('people', frame.people); });
  Chat.line.on('typing', function (frame) { store.set('typing', frame.who); });
  store.on('people', draw);
  store.on('typing', draw);
})(window.Chat);
