import { $, h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';

const live = new EventSource('/live/runs');
live.onmessage = ({ data }) => { $('#near').textContent = JSON.parse(data).near; };
live.onerror = () => console.warn('[live] line ended, comes again');

let asking;

async function hits(text) {
  asking?.abort();
  asking = new AbortController();
  try {
    const { runs } = await getJson('/api/runs/find?q=' + encodeURIComponent(text), { signal: asking.signal });
    $('#hits').replaceChildren(...runs.map(run => h('li', {}, run)));
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}

$('#train').addEventListener('input', ({ target }) => hits(target.value));
hits('');
