(function (HB) {
  'use strict';
  function Request(path) {
    this.path = path;
    this.xhr = new XMLHttpRequest();
    this.handlers = { ok: [], none: [] };
  }
  Request.prototype.ok = function (fn) { this.handlers.ok.push(fn); return this; };
  Request.prototype.none = function (fn) { this.handlers.none.push(fn); return this; };
  Request.prototype.fire = function (kind, value) {
    this.handlers[kind].forEach(function (fn) { fn(value); });
  };
  Request.prototype.send = function () {
    var self = this;
    this.xhr.open('GET', this.path);
    this.xhr.setRequestHeader('Accept', 'application/json');
    this.xhr.onload = function () {
      if (self.xhr.status >= 200 && self.xhr.status < 300) self.fire('ok', JSON.parse(self.xhr.responseText));
      else self.fire('none', self.xhr.status);
    };
    this.xhr.onerror = function () { self.fire('none', 0); };
    this.xhr.send();
    return this;
  };
  HB.get = function (path) { return new Request(path).send(); };
})(window.HB = window.HB || {});
