/* The frame around older pages: who is shown when a page appears. */
var Shell = (function () {
  var shown = [];
  window.addEventListener('pageshow', function () {
    shown.forEach(function (f) { f(); });
  });
  return {
    onShow: function (f) { shown.push(f); },
    status: function (text) { document.getElementById('status').textContent = text; },
  };
})();
