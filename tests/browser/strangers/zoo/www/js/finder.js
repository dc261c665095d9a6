import { $, fill } from '/lib/dom.js';
let running = null, pause = 0;
async function ask(q) {
  running?.abort();
  const mine = running = new AbortController();
  try {
    const r = await fetch('/api/search?q=' + encodeURIComponent(q), { signal: mine.signal });
    fill($('#hits'), await r.json());
  } catch (x) { if (x.name !== 'AbortError') throw x; }
}
$('#q').addEventListener('input', (e) => {
  const q = e.target.value;
  ask(q.slice(0, 2));
  clearTimeout(pause);
  pause = setTimeout(ask, 150, q);
});
