/* Callbacks for pages that came over from the old intranet: done(error, data). */
var Xhr = (function () {
  function send(method, path, data, done) {
    var request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('Accept', 'application/json');
    if (data) request.setRequestHeader('Content-Type', 'application/json');
    request.onload = function () {
      var body = null;
      try { body = request.responseText ? JSON.parse(request.responseText) : null; } catch (e) { return done(e); }
      if (request.status >= 400) {
        var error = new Error((body && body.error) || 'status ' + request.status);
        error.status = request.status;
        return done(error);
      }
      done(null, body);
    };
    request.onerror = function () { done(new Error('network')); };
    request.send(data ? JSON.stringify(data) : null);
  }
  return {
    get: function (path, done) { send('GET', path, null, done); },
    post: function (path, data, done) { send('POST', path, data, done); }
  };
})();
