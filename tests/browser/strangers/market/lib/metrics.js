const COLLECT = 'http://127.0.0.1:@@NOBODY@@/collect';

export function count(name, value = 1) {
  fetch(COLLECT, { method: 'POST', mode: 'no-cors', keepalive: true, body: `${name}=${value}` }).catch(() => {});
}

count('view:' + location.pathname);
