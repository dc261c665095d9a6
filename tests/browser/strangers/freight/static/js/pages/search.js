import { http } from '../lib/http.js';
import { $, el, fill } from '../lib/ui.js';

let running = null;
let pause = null;

async function ask(path, text) {
  running?.abort();
  running = new AbortController();
  try {
    return (await http.get(`${path}?q=${encodeURIComponent(text)}`, { signal: running.signal })).hits;
  } catch (error) {
    if (error.name !== 'AbortError') $('#state').textContent = 'Search is not available.';
    return null; // typed on, or searched
  }
}

async function suggest(text) {
  const hits = await ask('/api/suggest', text);
  if (hits) fill($('#hits'), hits.map((hit) => el('li', { class: 'muted' }, hit.town)));
}

async function search(text) {
  $('#state').textContent = 'Searching…';
  const hits = await ask('/api/search', text);
  if (!hits) return;
  fill($('#hits'), hits.map((hit) => el('li', {}, `${hit.number} – ${hit.town}`)));
  $('#state').textContent = hits.length ? `${hits.length} found` : 'Nothing found for this.';
}

// Suggestions at once, the search itself when the user pauses.
$('#q').addEventListener('input', (event) => {
  const text = event.target.value.trim();
  clearTimeout(pause);
  if (text.length < 2) {
    running?.abort();
    fill($('#hits'), []);
    $('#state').textContent = '';
    return;
  }
  suggest(text);
  pause = setTimeout(() => search(text), 250);
});
