(function () {
  'use strict';
  var script = document.currentScript;
  var kind = script && script.dataset.kind;
  function hit() {
    try { navigator.sendBeacon('/t/hit', JSON.stringify({ at: location.pathname, w: innerWidth })); } catch (e) { /* old devices */ }
  }
  addEventListener('load', function () {
    hit();
    if (kind === 'partner') {
      new Image().src = script.dataset.partner + '/px?u=' + encodeURIComponent(location.pathname);
    } else if (kind === 'pixel') {
      new Image().src = '/t/p.gif?u=' + encodeURIComponent(location.pathname);
    }
  });
})();
