/* mini: the few things of jQuery that the older pages use */
(function (global) {
  function Mini(nodes) { this.nodes = nodes; }
  Mini.prototype = {
    each: function (f) { this.nodes.forEach(f); return this; },
    on: function (type, selector, f) {
      if (typeof selector === 'function') { f = selector; selector = null; }
      return this.each(function (node) {
        node.addEventListener(type, function (event) {
          var target = selector ? event.target.closest(selector) : node;
          if (target) f.call(target, event);
        });
      });
    },
    text: function (value) { return this.each(function (node) { node.textContent = value; }); },
    html: function (value) { return this.each(function (node) { node.innerHTML = value; }); },
    val: function () { return this.nodes[0] ? this.nodes[0].value : undefined; },
    data: function (key) { return this.nodes[0] && this.nodes[0].dataset[key]; },
  };
  function $(what) {
    if (typeof what === 'function') {
      if (document.readyState !== 'loading') what(); else document.addEventListener('DOMContentLoaded', what);
      return null;
    }
    return new Mini(typeof what === 'string' ? Array.from(document.querySelectorAll(what)) : [what]);
  }
  $.getJSON = function (url, done, fail) {
    var request = new XMLHttpRequest();
    request.open('GET', url);
    request.onload = function () {
      if (request.status < 400) done(JSON.parse(request.responseText)); else if (fail) fail(request);
    };
    request.onerror = function () { if (fail) fail(request); };
    request.send();
  };
  $.postJSON = function (url, value, done, fail) {
    var request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Content-Type', 'application/json');
    request.onload = function () {
      if (request.status < 400) done(JSON.parse(request.responseText)); else if (fail) fail(request);
    };
    request.send(JSON.stringify(value));
  };
  $.esc = function (text) {
    return String(text).replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; });
  };
  global.$ = $;
})(window);
