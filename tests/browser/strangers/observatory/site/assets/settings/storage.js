(function (root) {
  var PREFIX = 'obs:';

  root.ObsStorage = {
    set: function (key, value) {
      try {
        root.localStorage.setItem(PREFIX + key, value);
        return true;
      } catch (e) {
        return false;
      }
    },
    get: function (key, otherwise) {
      var raw = root.localStorage.getItem(PREFIX + key);
      if (raw === null) return otherwise;
      try {
        return JSON.parse(raw);
      } catch (e) {
        return otherwise;
      }
    },
    remove: function (key) { root.localStorage.removeItem(PREFIX + key); }
  };
})(window);
