const SHELF = 'canteen-4';
const WANTED = ['/canteen/menu.js', '/shared/portal.css', '/canteen/pictures/winter.jpg'];
self.addEventListener('install', (event) => event.waitUntil((async () => {
  const shelf = await caches.open(SHELF);
  const done = await Promise.allSettled(WANTED.map((url) => shelf.add(url)));
  done.forEach((one, i) => { if (one.status === 'rejected') console.warn('shelf: without', WANTED[i], String(one.reason)); });
  self.skipWaiting();
})()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || !url.pathname.startsWith('/api/canteen/')) return;
  event.respondWith(fetch(event.request).then((answer) => {
    const copy = answer.clone();
    if (answer.ok) caches.open(SHELF).then((shelf) => shelf.put(event.request, copy));
    return answer;
  }, () => caches.match(event.request)));
});
