const SHELL = "northlight-live-4";

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const shell = await caches.open(SHELL);
    const kept = await shell.match(event.request);
    if (kept) return kept;
    const answer = await fetch(event.request);
    if (answer.ok) await shell.put(event.request, answer.clone());
    return answer;
  })());
});
