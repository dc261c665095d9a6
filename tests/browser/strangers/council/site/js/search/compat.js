/* Older browsers of the reading rooms. */
(function () {
  console.warn('[compat] searchBox.attach(element) is deprecated and will be removed in 5.0. Use searchBox.mount(element).');
  try { new Function('return import.meta')(); } catch (e) { window.noModules = true; console.info('compat: ' + e.message); }
  try { document.querySelector(':has-text(x)'); } catch (e) { window.hasText = false; console.info('compat: ' + e.message); }
  if (!window.requestIdleCallback || window.noModules) window.later = function (f) { return setTimeout(f, 60); };
  else window.later = window.requestIdleCallback;
  window.addEventListener('beforeunload', function () { navigator.sendBeacon('/api/rum', JSON.stringify({ t: performance.now() })); });
})();
