const PREFIX = 'swr:';
export async function staleWhileRevalidate(url, show) {
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(PREFIX + url)); } catch (e) { localStorage.removeItem(PREFIX + url); }
  if (kept) show(kept.data, 'kept');
  const answer = await fetch(url, { headers: kept ? { 'if-none-match': kept.etag } : {}, cache: 'no-store' });
  if (answer.status === 304) { show(kept.data, 'current'); return; }
  if (!answer.ok) {
    if (!kept) throw new Error(`${url}: ${answer.status}`);
    return;
  }
  const data = await answer.json();
  localStorage.setItem(PREFIX + url, JSON.stringify({ etag: answer.headers.get('etag'), data }));
  show(data, 'current');
}
