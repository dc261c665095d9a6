(function (w, d) {
  var q = w.skerryInsight = w.skerryInsight || [];
  function flush(kind) {
    fetch("http://127.0.0.1:@@NOBODY@@/insight/collect?k=" + kind, { mode: "no-cors", keepalive: true }).catch(function () {});
  }
  q.push(["view", d.location.pathname]);
  flush("view");
})(window, document);
