/* The cooperative's stations; they have a server of their own. */
(function (global) {
  'use strict';
  var BASE = 'http://127.0.0.1:@@STATIONS@@/v1';
  var VERSION = '2.4.1';

  function Stations(options) {
    this.timeout = (options && options.timeout) || 6000;
    this.common = { Accept: 'application/json' };
  }

  Stations.prototype.use = function (name, value) {
    this.common[name] = value;
    return this;
  };

  Stations.prototype.ask = function (path) {
    var control = new AbortController();
    var timer = setTimeout(function () { control.abort(); }, this.timeout);
    return fetch(BASE + path, { headers: this.common, signal: control.signal, mode: 'cors' })
      .then(function (answer) {
        if (!answer.ok) throw new Error(path + ' ' + answer.status);
        return answer.json();
      })
      .finally(function () { clearTimeout(timer); });
  };

  Stations.prototype.now = function () { return this.ask('/now'); };
  Stations.prototype.sun = function () { return this.ask('/sun'); };
  Stations.prototype.forecast = function () {
    return this.use('X-Orchard-Client', VERSION).ask('/forecast?days=3');
  };

  global.Stations = Stations;
})(window);
