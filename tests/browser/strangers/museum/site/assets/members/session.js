// Members' session: a short token, renewed from the long one that the sign-in page leaves.
window.moq = window.moq || {};

moq.session = (function () {
  var token = null;

  function renew() {
    return fetch('/museum/api/session/refresh', {
      method: 'POST',
      credentials: 'omit',
      headers: { Accept: 'application/json' }
    }).then(function (answer) {
      return answer.ok ? answer.json() : {};
    }).then(function (data) {
      token = data.token || null;
      return token;
    });
  }

  return {
    ready: renew(),
    headers: function () { return token ? { Authorization: 'Bearer ' + token } : {}; }
  };
})();
