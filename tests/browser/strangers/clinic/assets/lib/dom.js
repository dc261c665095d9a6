(function (root) {
  'use strict';
  const Linden = root.Linden = root.Linden || {};
  const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

  Linden.$ = (selector, from = document) => from.querySelector(selector);
  Linden.esc = (text) => String(text).replace(/[&<>"]/g, (c) => ENTITIES[c]);
  Linden.fill = (selector, html) => {
    const node = Linden.$(selector);
    node.innerHTML = html;
    return node;
  };
  Linden.toast = (text) => {
    const node = document.createElement('p');
    node.textContent = text;
    Linden.$('#toasts').replaceChildren(node);
  };
})(window);
