// XMLHttpRequest with promises, from before fetch was everywhere.
var Account = window.Account || {};
(function (ns) {
  var base = document.documentElement.getAttribute('data-base');

  function Failure(xhr, path) {
    this.name = 'Failure';
    this.status = xhr.status;
    this.path = path;
    this.message = path + ' answered ' + xhr.status;
    this.body = null;
    try { this.body = JSON.parse(xhr.responseText); } catch (e) { /* not every error has a body */ }
  }
  Failure.prototype = Object.create(Error.prototype);

  function call(method, path, body, headers) {
    return new Promise(function (resolve, reject) {
      var xhr = new XMLHttpRequest();
      xhr.open(method, path.charAt(0) === '/' ? base + path : path);
      xhr.setRequestHeader('Accept', 'application/json');
      Object.keys(headers || {}).forEach(function (name) { xhr.setRequestHeader(name, headers[name]); });
      if (body) xhr.setRequestHeader('Content-Type', 'application/json');
      xhr.onload = function () {
        if (xhr.status < 200 || xhr.status > 299) return reject(new Failure(xhr, path));
        resolve(xhr.responseText ? JSON.parse(xhr.responseText) : null);
      };
      xhr.onerror = function () { reject(new Failure(xhr, path)); };
      xhr.send(body ? JSON.stringify(body) : null);
    });
  }

  ns.call = call;
  ns.Failure = Failure;
  ns.notice = function (text) {
    var box = kit.$('#notice');
    box.textContent = text;
    box.hidden = !text;
  };
  window.Account = ns;
})(Account);
