const state = document.querySelector('#state');
const log = document.querySelector('#log');
const KEEP = 8;
let etag = null;

async function poll() {
  try {
    const res = await fetch('/api/stock/shelves', { headers: etag ? { 'If-None-Match': etag } : {} });
    if (res.status === 304) return;
    if (!res.ok) throw new Error(`shelves: ${res.status}, will try again`);
    etag = res.headers.get('ETag');
    const { shelves, version } = await res.json();
    state.textContent = `Version ${version}`;
    document.querySelector('#shelves').innerHTML = shelves.map((s) => `<li>${s.name}: ${s.count}</li>`).join('');
  } catch (err) {
    console.error(err.message);
  } finally {
    setTimeout(poll, 900);
  }
}

const events = new EventSource('/api/stock/shelves/events');
events.addEventListener('moved', (e) => {
  const { shelf, delta, n } = JSON.parse(e.data);
  const li = document.createElement('li');
  li.textContent = `#${n} ${shelf} ${delta > 0 ? '+' : ''}${delta}`;
  log.prepend(li);
  while (log.children.length > KEEP) log.lastChild.remove();
});

poll();
