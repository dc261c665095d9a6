window.Log = window.Log || {};

Log.drafts = (function () {
  var PREFIX = 'log:entry:';

  function write(key, value, done) {
    var failed = null;
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch (e) {
      failed = e;
    }
    setTimeout(done, 0, failed);
  }

  function all() {
    var found = [];
    for (var n = 0; n < localStorage.length; n += 1) {
      var key = localStorage.key(n);
      if (key.indexOf(PREFIX) !== 0) continue;
      try { found.push(JSON.parse(localStorage.getItem(key))); } catch (e) { localStorage.removeItem(key); }
    }
    return found.sort(function (a, b) { return b.at - a.at; });
  }

  return {
    all: all,
    add: function (text, voyage, done) {
      var entry = { at: Date.now(), text: text, voyage: { from: voyage.from, to: voyage.to, track: voyage.track } };
      write(PREFIX + entry.at, entry, function () { done(entry); });
    }
  };
})();
