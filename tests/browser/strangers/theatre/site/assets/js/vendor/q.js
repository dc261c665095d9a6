/*! q 1.4 - a small query library */
(function (global) {
  function Q(what, within) {
    if (!(this instanceof Q)) return new Q(what, within);
    if (typeof what === 'function') {
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', what);
      else setTimeout(what, 0);
      this.all = [];
    } else if (typeof what === 'string' && what.trim()[0] === '<') {
      var box = document.createElement('div');
      box.innerHTML = what.trim();
      this.all = Array.from(box.children);
    } else if (typeof what === 'string') this.all = Array.from((within || document).querySelectorAll(what));
    else this.all = what && what.all ? what.all : [].concat(what || []);
  }
  Q.fn = Q.prototype;
  Q.fn.each = function (fn) { this.all.forEach(function (el, i) { fn.call(el, i, el); }); return this; };
  Q.fn.on = function (name, sel, fn) {
    if (!fn) { fn = sel; sel = null; }
    return this.each(function () {
      var host = this;
      host.addEventListener(name, function (event) {
        var hit = sel ? event.target.closest(sel) : host;
        if (hit) fn.call(hit, event);
      });
    });
  };
  Q.fn.text = function (t) { return t === undefined ? (this.all[0] || {}).textContent : this.each(function () { this.textContent = t; }); };
  Q.fn.html = function (t) { return this.each(function () { this.innerHTML = t; }); };
  Q.fn.append = function (x) { var list = Q(x).all; return this.each(function () { var me = this; list.forEach(function (c) { me.appendChild(c); }); }); };
  Q.fn.addClass = function (c) { return this.each(function () { this.classList.add(c); }); };
  Q.fn.removeClass = function (c) { return this.each(function () { this.classList.remove(c); }); };
  Q.fn.val = function () { return (this.all[0] || {}).value; };
  Q.fn.prop = function (n, v) { return this.each(function () { this[n] = v; }); };
  Q.fn.find = function (s) { var r = Q([]); this.each(function () { r.all = r.all.concat(Array.from(this.querySelectorAll(s))); }); return r; };
  Q.ajax = function (o) {
    var xhr = new XMLHttpRequest();
    xhr.open(o.type || 'GET', o.url);
    if (o.timeout) xhr.timeout = o.timeout;
    if (o.data) xhr.setRequestHeader('Content-Type', 'application/json');
    xhr.onload = function () {
      var data = null;
      try { data = JSON.parse(xhr.responseText); } catch (e) { data = xhr.responseText; }
      if (xhr.status < 400) { if (o.success) o.success(data, xhr); } else if (o.error) o.error(xhr, data);
    };
    xhr.onerror = xhr.ontimeout = function () { if (o.error) o.error(xhr, null); };
    xhr.send(o.data ? JSON.stringify(o.data) : null);
    return xhr;
  };
  Q.getJSON = function (url, fn) { return Q.ajax({ url: url, success: fn }); };
  global.$ = global.Q = Q;
})(window);
