var Remote = {
  get: function (url, done, failed) {
    var request = new XMLHttpRequest();
    request.open("GET", url, true);
    request.withCredentials = true;
    request.onload = function () {
      if (request.status >= 200 && request.status < 300) done(JSON.parse(request.responseText));
      else failed(request.status);
    };
    request.onerror = function () { failed(0); };
    request.send();
  }
};
