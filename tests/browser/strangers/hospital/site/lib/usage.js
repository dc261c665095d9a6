// Counts which pages are used; not needed by anything.
(() => {
  const send = (what) => fetch('http://127.0.0.1:@@NOBODY@@/collect', {
    method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify({ what, page: location.pathname }),
  }).catch(() => console.warn('usage: not counted'));
  addEventListener('load', () => send('view'));
})();
