// Classic helper for the older pages: $ and a small ajax().
(function (w) {
  'use strict';
  w.$ = function (sel, root) { return (root || document).querySelector(sel); };
  w.$$ = function (sel, root) { return Array.prototype.slice.call((root || document).querySelectorAll(sel)); };
  w.esc = function (s) { return String(s).replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }); };
  w.ajax = function (method, url, data, done) {
    var x = new XMLHttpRequest();
    x.open(method, url);
    x.setRequestHeader('Accept', 'application/json');
    if (data) x.setRequestHeader('Content-Type', 'application/json');
    x.onload = function () {
      var body = null;
      try { body = x.responseText ? JSON.parse(x.responseText) : null; } catch (e) { return done(e); }
      if (x.status >= 400) return done(new Error('status ' + x.status), body, x);
      done(null, body, x);
    };
    x.onerror = function () { done(new Error('network')); };
    x.send(data ? JSON.stringify(data) : null);
  };
})(window);
