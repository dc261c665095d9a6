var Archive = window.Archive || {};

Archive.request = function (path, params, done, failed) {
  var pairs = [];
  for (var name in params) pairs.push(encodeURIComponent(name) + '=' + encodeURIComponent(params[name]));
  var xhr = new XMLHttpRequest();
  xhr.open('GET', path + '?' + pairs.join('&'));
  xhr.timeout = 20000;
  xhr.onload = function () {
    if (xhr.status < 200 || xhr.status > 299) return failed(xhr.status);
    var data;
    try { data = JSON.parse(xhr.responseText); } catch (e) { return failed(0); }
    done(data);
  };
  xhr.onerror = xhr.ontimeout = function () { failed(0); };
  xhr.send();
  return xhr;
};

Archive.debounce = function (fn, ms) {
  var timer;
  return function () {
    var args = arguments, self = this;
    clearTimeout(timer);
    timer = setTimeout(function () { fn.apply(self, args); }, ms);
  };
};
