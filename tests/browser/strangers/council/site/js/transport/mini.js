/* mini 1.4 - ajax and a little more */
var mini = {
  q: function (s) { return document.querySelector(s); },
  getSync: function (url) {
    var x = new XMLHttpRequest();
    x.open('GET', url, false);
    x.send();
    return x.status === 200 ? JSON.parse(x.responseText) : null;
  },
  get: function (url, done, options) {
    var left = (options && options.retry) || 0;
    function go() {
      var x = new XMLHttpRequest();
      x.open('GET', url);
      x.timeout = 4000;
      x.onload = function () {
        if (x.status >= 500 && left-- > 0) { if (window.console) console.warn('mini: ' + url + ' ' + x.status + ', again'); return setTimeout(go, 500); }
        if (x.status >= 400) return done(x.status, null);
        done(null, x.responseText ? JSON.parse(x.responseText) : null);
      };
      x.onerror = x.ontimeout = function () { left-- > 0 ? setTimeout(go, 500) : done('network', null); };
      x.send();
    }
    go();
  },
};
