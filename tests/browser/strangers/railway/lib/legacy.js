/* Rail.ajax and friends, since 2013 */
(function (window, document) {
  'use strict';
  var Rail = window.Rail = window.Rail || {};

  Rail.settings = Rail.settings || {};

  Rail.ajax = function (o) {
    var xhr = new XMLHttpRequest();
    xhr.open(o.method || 'GET', o.url, true);
    if (Rail.settings.patience) { xhr.timeout = Rail.settings.patience; }
    xhr.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
    xhr.onload = function () {
      var data = null;
      if (xhr.status < 200 || xhr.status > 299) { if (o.fail) { o.fail(xhr); } return; }
      try { data = JSON.parse(xhr.responseText); } catch (e) { data = null; }
      o.success(data, xhr);
    };
    xhr.onerror = xhr.ontimeout = function () { if (o.fail) { o.fail(xhr); } };
    xhr.send(o.data || null);
    return xhr;
  };

  Rail.byId = function (id) { return document.getElementById(id); };

  Rail.each = function (list, f) { for (var i = 0; i < list.length; i++) { f(list[i], i); } };

  Rail.text = function (tag, text) {
    var e = document.createElement(tag);
    e.appendChild(document.createTextNode(text));
    return e;
  };
}(window, document));
