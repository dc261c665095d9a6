// The ticker: visitors right now, pushed by the server.
const { base } = document.documentElement.dataset;

export function startLive(target) {
  const source = new EventSource(`${base}/api/live`);
  let last = 0;
  source.addEventListener('visitors', (event) => {
    const tick = JSON.parse(event.data);
    last = tick.count;
    target.textContent = `${tick.count} visitors now`;
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CONNECTING) console.debug('[live] reconnecting after %d', last);
  };
  addEventListener('pagehide', () => source.close());
  return source;
}
