/* Uploads with the progress that fetch does not give. */
var Uploader = (function () {
  function headersOf(options) {
    var headers = { 'Accept': 'application/json', 'X-Requested-With': 'XMLHttpRequest' };
    if (options.token) headers['X-Upload-Token'] = options.token;
    headers['Content-Type'] = options.type || 'multipart/form-data';
    return headers;
  }

  function upload(url, fields, options) {
    options = options || {};
    return new Promise(function (resolve, reject) {
      var data = new FormData();
      Object.keys(fields).forEach(function (name) {
        var value = fields[name];
        if (value instanceof Blob) data.append(name, value, name + '.png');
        else data.append(name, value);
      });
      var xhr = new XMLHttpRequest();
      xhr.open('POST', url);
      var headers = headersOf(options);
      Object.keys(headers).forEach(function (name) { xhr.setRequestHeader(name, headers[name]); });
      xhr.upload.onprogress = function (event) {
        if (options.progress && event.lengthComputable) options.progress(event.loaded / event.total);
      };
      xhr.onload = function () {
        var answer = {};
        try { answer = JSON.parse(xhr.responseText); } catch (ignored) { /* some proxies answer with HTML */ }
        if (xhr.status < 300) resolve(answer); else reject(answer);
      };
      xhr.onerror = function () { reject({ code: 'network' }); };
      xhr.send(data);
    });
  }

  return { upload: upload };
})();
