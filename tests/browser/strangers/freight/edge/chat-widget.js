/* Parlo chat 1.4 (c) Parlo Support GmbH */
(function (global) {
  'use strict';
  var Parlo = global.Parlo = global.Parlo || { q: [] };

  // core/enum
  function each(list, fn) { for (var i = 0; i < list.length; i++) fn(list[i], i); }
  function extend(target, source) {
    for (var name in source) if (Object.prototype.hasOwnProperty.call(source, name)) {
      Object.defineProperty(target, name, { value: source[name], configurable: true, writable: true, enumerable: false });
    }
    return target;
  }

  // core/json
  function encode(value) {
    if (value === null || value === undefined) return 'null';
    if (typeof value === 'string') return '"' + value.replace(/(["\\])/g, '\\$1') + '"';
    if (typeof value === 'object' && value.toJSON) return value.toJSON();
    if (typeof value === 'object') {
      var parts = [];
      each(Object.keys(value), function (key) { parts.push(encode(key) + ': ' + encode(value[key])); });
      return '{' + parts.join(', ') + '}';
    }
    return String(value);
  }
  extend(Array.prototype, {
    toJSON: function () {
      var parts = [];
      each(this, function (item) { parts.push(encode(item)); });
      return '[' + parts.join(', ') + ']';
    }
  });

  // ui
  Parlo.boot = function (team) {
    var bubble = document.createElement('button');
    bubble.type = 'button';
    bubble.textContent = 'Chat with ' + team;
    bubble.style.cssText = 'position:fixed;left:1rem;bottom:1rem';
    bubble.onclick = function () { bubble.textContent = encode(['offline', team]) && 'We are back at 8:00'; };
    document.body.appendChild(bubble);
  };
  each(Parlo.q, function (call) { Parlo[call[0]](call[1]); });
})(window);
