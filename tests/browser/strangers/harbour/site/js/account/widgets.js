(function (HB) {
  'use strict';
  HB.text = function (id, value) {
    var node = document.getElementById(id);
    if (node) node.textContent = value;
  };
  HB.list = function (id, rows, empty) {
    var node = document.getElementById(id);
    node.innerHTML = '';
    if (!rows || !rows.length) {
      var none = document.createElement('li');
      none.className = 'muted';
      none.textContent = empty;
      node.appendChild(none);
      return;
    }
    rows.forEach(function (row) {
      var item = document.createElement('li');
      item.textContent = row;
      node.appendChild(item);
    });
  };
  HB.picture = function (id, path) {
    var node = document.getElementById(id);
    node.onerror = function () { node.style.display = 'none'; };
    node.src = path;
  };
})(window.HB = window.HB || {});
