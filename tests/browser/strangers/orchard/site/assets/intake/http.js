/* Requests of the intake desk: defaults for each kind of body, in one place. */
(function (global) {
  var DEFAULTS = {
    json: { 'Content-Type': 'application/json' },
    form: { 'Content-Type': 'multipart/form-data' },
    none: {}
  };

  function kindOf(body) {
    if (body === undefined || body === null) return 'none';
    return body instanceof FormData ? 'form' : 'json';
  }

  function encode(body, kind) {
    if (kind === 'json') return JSON.stringify(body);
    return kind === 'form' ? body : undefined;
  }

  function call(method, path, body) {
    var kind = kindOf(body);
    var headers = Object.assign({ Accept: 'application/json' }, DEFAULTS[kind]);
    return fetch(path, { method: method, headers: headers, body: encode(body, kind) }).then(function (answer) {
      return answer.text().then(function (text) {
        var data = text ? JSON.parse(text) : null;
        if (!answer.ok) return Promise.reject({ status: answer.status, data: data });
        return data;
      });
    });
  }

  global.Http = {
    get: function (path) { return call('GET', path); },
    post: function (path, body) { return call('POST', path, body); },
    put: function (path, body) { return call('PUT', path, body); }
  };
})(window);
