import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

let before;
let timer;

async function suggest(q) {
  before?.abort();
  if (q.length < 2) return fill('#words');
  const own = before = new AbortController();
  $('#state').textContent = 'Looking …';
  try {
    const { words } = await get(`/museum/api/suggest?q=${encodeURIComponent(q)}`, { signal: own.signal });
    $('#state').textContent = words.length ? `${words.length} words` : `Nothing begins with “${q}”.`;
    return fill('#words', words.map((word) => h('li', {}, word)));
  } catch (error) {
    if (!own.signal.aborted) $('#state').textContent = 'The search has no answer. Please try again.';
    return null;
  }
}

$('#term').addEventListener('input', (event) => {
  clearTimeout(timer);
  before?.abort();
  const q = event.target.value.trim();
  timer = setTimeout(suggest, 20, q);
});

// a look ahead for what most visitors look for, superseded by whatever is typed
suggest('am');
setTimeout(suggest, 120, 'amu');
