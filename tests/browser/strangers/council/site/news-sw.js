const CACHE = 'news-pictures-3';
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const key of await caches.keys()) if (key !== CACHE) await caches.delete(key);
  await self.clients.claim();
})()));
self.addEventListener('fetch', (event) => {
  if (!new URL(event.request.url).pathname.startsWith('/img/news/')) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(event.request);
    const fresh = fetch(event.request).then((answer) => { if (answer.ok) cache.put(event.request, answer.clone()); return answer; });
    if (!kept) return fresh;
    event.waitUntil(fresh.catch(() => {}));
    return kept;
  })());
});
