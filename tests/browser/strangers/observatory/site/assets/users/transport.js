function readCookie(name) {
  var found = document.cookie.split('; ').filter(function (part) { return part.indexOf(name + '=') === 0; })[0];
  return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
}

function Transport(options) {
  this.cookie = options.cookie;
  this.header = options.header;
}

Transport.prototype.send = function (method, path, body) {
  var self = this;
  return new Promise(function (resolve, reject) {
    var xhr = new XMLHttpRequest();
    xhr.open(method, path);
    xhr.setRequestHeader('Accept', 'application/json');
    if (method !== 'GET') {
      xhr.setRequestHeader('Content-Type', 'application/json');
      xhr.setRequestHeader(self.header, readCookie(self.cookie));
    }
    xhr.onload = function () {
      if (xhr.status >= 200 && xhr.status < 300) resolve(JSON.parse(xhr.responseText));
      else reject({ status: xhr.status });
    };
    xhr.onerror = function () { reject({ status: 0 }); };
    xhr.send(body ? JSON.stringify(body) : null);
  });
};
