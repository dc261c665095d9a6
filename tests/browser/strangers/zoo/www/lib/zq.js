// A helper in the manner of the one everybody knows.
(function (w) {
  function Zq(nodes) { this.nodes = nodes; }
  Zq.prototype.each = function (f) { this.nodes.forEach(function (n) { f.call(n, n); }); return this; };
  Zq.prototype.on = function (type, f) { return this.each(function (n) { n.addEventListener(type, f); }); };
  Zq.prototype.text = function (t) { return this.each(function (n) { n.textContent = t; }); };
  Zq.prototype.html = function (t) { return this.each(function (n) { n.innerHTML = t; }); };
  Zq.prototype.val = function () { return this.nodes[0] && this.nodes[0].value; };
  w.zq = function (q) { return new Zq(typeof q === 'string' ? Array.from(document.querySelectorAll(q)) : [q]); };
  w.zq.ajax = function (o) {
    var x = new XMLHttpRequest();
    x.open(o.type || 'GET', o.url);
    if (o.data) x.setRequestHeader('Content-Type', 'application/json');
    x.onload = function () {
      var body = null;
      try { body = JSON.parse(x.responseText); } catch (e) { /* nothing to read */ }
      if (x.status < 400) { if (o.success) o.success(body); } else if (o.error) o.error(x.status, body);
    };
    x.send(o.data ? JSON.stringify(o.data) : null);
  };
})(window);
