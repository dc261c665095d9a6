// From our small markup to elements. Loaded early: the toolbar, the preview and the exporter use it.
(function (global) {
  'use strict';
  var rules = [
    { name: 'heading', open: /^#\s+(.*)$/, make: function (m) { return kit.h('h3', null, inline(m[1])); } },
    { name: 'quote', open: /^>\s+(.*)$/, make: function (m) { return kit.h('blockquote', null, inline(m[1])); } },
    { name: 'item', open: /^-\s+(.*)$/, make: function (m) { return kit.h('li', null, inline(m[1])); } },
  ];

  function inline(text) {
    return text.split(/(\*[^*]+\*)/).map(function (part) {
      return /^\*.+\*$/.test(part) ? kit.h('em', null, part.slice(1, -1)) : part;
    });
  }

  function block(line) {
    for (var i = 0; i < rules.length; i++) {
      var match = line.match(rules[i].open);
      if (match) return rules[i].make(match);
    }
    return line ? kit.h('p', null, inline(line)) : null;
  }

  global.Marks = {
    names: function () { return rules.map(function (rule) { return rule.name; }); },
    render: function (text) { return text.split('\n').map(block).filter(Boolean); },
  };
})(window);
