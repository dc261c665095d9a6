/* jlite 1.2 */
(function (window, document) {
  function jlite(sel) { return new jlite.fn.init(sel); }
  jlite.fn = jlite.prototype = {
    init: function (sel) {
      var found = typeof sel === 'string' ? document.querySelectorAll(sel) : [sel];
      this.length = found.length;
      for (var i = 0; i < found.length; i++) this[i] = found[i];
    },
    each: function (fn) { for (var i = 0; i < this.length; i++) fn.call(this[i], i, this[i]); return this; },
    on: function (type, fn) { return this.each(function () { this.addEventListener(type, fn); }); },
    html: function (s) { return this.each(function () { this.innerHTML = s; }); },
    addClass: function (c) { return this.each(function () { this.classList.add(c); }); }
  };
  jlite.fn.init.prototype = jlite.fn;
  jlite.ready = function (fn) {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fn); else fn();
  };
  jlite.getJSON = function (url, done, fail) {
    var xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
    xhr.onreadystatechange = function () {
      if (xhr.readyState !== 4) return;
      if (xhr.status === 200) done(JSON.parse(xhr.responseText)); else if (fail) fail(xhr);
    };
    xhr.send();
  };
  window.jlite = window.$ = jlite;
})(window, document);
