// HTTP for the chat: JSON in, JSON out, with a limit on how long we wait.
window.Chat = window.Chat || {};
(function (Chat) {
  'use strict';
  var base = document.documentElement.dataset.base;

  function failure(message, status) {
    var error = new Error(message);
    error.status = status || 0;
    return error;
  }

  function http(method, path, options) {
    options = options || {};
    var controller = options.controller || new AbortController();
    var timer = options.limit && setTimeout(function () { controller.abort(); }, options.limit);
    return fetch(base + path, {
      method: method,
      body: options.body && (options.body instanceof Blob ? options.body : JSON.stringify(options.body)),
      headers: options.body instanceof Blob ? {} : { 'Content-Type': 'application/json' },
      signal: controller.signal,
    }).then(function (response) {
      if (!response.ok) throw failure('HTTP ' + response.status + ' for ' + path, response.status);
      return response.status === 204 ? null : response.json();
    }).finally(function () { clearTimeout(timer); });
  }

  Chat.http = http;
  Chat.get = function (path, options) { return http('GET', path, options); };
  Chat.post = function (path, body, options) { return http('POST', path, Object.assign({ body: body }, options)); };
  Chat.base = base;
})(window.Chat);
