/* q: the small library of the older pages */
(function (w) {
  function Q(list) { this.list = list; }
  Q.prototype = {
    each: function (fn) { this.list.forEach(fn); return this; },
    on: function (type, fn) { return this.each(function (e) { e.addEventListener(type, fn); }); },
    text: function (t) { return this.each(function (e) { e.textContent = t; }); },
    html: function (t) { return this.each(function (e) { e.innerHTML = t; }); },
    append: function (t) { return this.each(function (e) { e.insertAdjacentHTML("beforeend", t); }); },
    val: function () { return this.list[0] && this.list[0].value; }
  };
  w.q = function (s) { return new Q(typeof s === "string" ? [].slice.call(document.querySelectorAll(s)) : [s]); };
  w.q.get = function (url, done) {
    var x = new XMLHttpRequest();
    x.open("GET", url);
    x.onload = function () {
      var data = {};
      try { data = JSON.parse(x.responseText); } catch (e) { /* plain text */ }
      done(data, x.status);
    };
    x.onerror = function () { done({}, 0); };
    x.send();
  };
})(window);
