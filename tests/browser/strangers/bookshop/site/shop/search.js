import { api } from '/lib/http.js';

const input = document.querySelector('#q');
const count = document.querySelector('#count');
let running = null;

async function find(q) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const { hits } = await api('/api/search?q=' + encodeURIComponent(q), { signal });
    count.textContent = `${hits.length} found`;
    document.querySelector('#hits').innerHTML = hits.map((b) => `<li>${b.title}</li>`).join('');
  } catch (err) {
    if (err.name === 'AbortError') return;
    count.textContent = 'Search failed.';
  }
}

input.addEventListener('input', () => {
  if (input.value.length > 1) find(input.value);
});

api('/api/recommendations').then((r) => {
  document.querySelector('#also').textContent = r.titles.join(', ');
  document.querySelector('#also').classList.remove('hidden');
}).catch((err) => console.info('no recommendations', err.status));
