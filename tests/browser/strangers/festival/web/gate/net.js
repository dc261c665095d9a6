var Net = (function () {
  var WAIT = 1500;

  function get(url, done) {
    var request = new XMLHttpRequest();
    request.open('GET', url, true);
    request.timeout = WAIT;
    request.onload = function () {
      var value = null;
      try { value = JSON.parse(request.responseText); } catch (e) { /* not ours */ }
      done(request.status === 200 ? null : request.status, value);
    };
    request.onerror = request.ontimeout = function () { done(0, null); };
    request.send();
  }

  return { get: get };
})();
