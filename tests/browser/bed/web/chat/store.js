// Rooms, messages by room, people. Changes are told once a frame.
(function (Chat) {
  'use strict';
  var events = kit.emitter();
  var dirty = new Set();
  var state = { me: null, rooms: [], room: null, messages: {}, people: [], typing: [], contacts: {} };

  function flush() {
    var names = Array.from(dirty);
    dirty.clear();
    names.forEach(function (name) { events.emit(name, state[name]); });
  }

  function set(name, value) {
    state[name] = value;
    if (!dirty.size) requestAnimationFrame(flush);
    dirty.add(name);
  }

  function addMessage(message) {
    var list = state.messages[message.room] || [];
    var known = list.findIndex(function (other) { return other.nonce && other.nonce === message.nonce; });
    if (known >= 0) list[known] = message;
    else list.push(message);
    state.messages[message.room] = list;
    set('messages', state.messages);
  }

  Chat.store = { state: state, set: set, on: events.on, addMessage: addMessage };
})(window.Chat);
