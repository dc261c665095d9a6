/* Crates in store: a list, and one at a time. */
(function (global) {
  function CrateFinder(options) {
    this.emitter = new Emitter();
    this.base = options.base;
    this.cache = {};
  }

  CrateFinder.prototype.on = function (name, handler) {
    this.emitter.on(name, handler);
    return this;
  };

  CrateFinder.prototype.list = function () {
    var self = this;
    Xhr.get(this.base, function (error, data) {
      if (error) return self.emitter.emit('problem', error);
      self.emitter.emit('list', data.crates);
    });
  };

  CrateFinder.prototype.open = function (crate) {
    var self = this;
    if (this.cache[crate.id]) return this.emitter.emit('crate', this.cache[crate.id]);
    this.emitter.emit('opening', crate);
    Xhr.get(this.base + '/' + crate.id, function (error, data) {
      if (error) return self.emitter.emit(error.status === 404 ? 'gone' : 'problem', crate);
      self.cache[crate.id] = data;
      self.emitter.emit('crate', data);
    });
  };

  global.CrateFinder = CrateFinder;
})(window);
