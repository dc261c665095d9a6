// Usage numbers for the product team. Nobody waits for them.
const target = 'http://127.0.0.1:@@NOBODY@@/collect';

export function pulse(name, data = {}) {
  fetch(target, { method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify({ name, ...data, at: Date.now() }) })
    .catch(() => {});
}
pulse('view', { path: location.pathname });
