(function () {
  var target = "http://127.0.0.1:@@NOBODY@@/collect";
  function report(kind) {
    fetch(target + "?k=" + kind + "&p=" + encodeURIComponent(location.pathname), { mode: "no-cors", keepalive: true })
      .catch(function () { console.debug("[visits] not counted"); });
  }
  window.visits = { report: report };
  report("view");
})();
