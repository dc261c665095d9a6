/* What goes amiss is sent home rather than shown. */
var Report = (function () {
  var sent = 0;
  function error(where, problem) {
    if (sent++ > 4) return;
    var request = new XMLHttpRequest();
    request.open('POST', '/api/client-log');
    request.setRequestHeader('Content-Type', 'application/json');
    request.send(JSON.stringify({ where: where, message: String(problem && problem.message || problem), page: location.pathname }));
  }
  function guarded(where, work) {
    return function () {
      try {
        return work.apply(this, arguments);
      } catch (problem) {
        error(where, problem);
      }
    };
  }
  return { error: error, guarded: guarded };
})();
