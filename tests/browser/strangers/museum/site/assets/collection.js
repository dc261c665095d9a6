import { $, fill, row } from './lib/dom.js';
import { values } from './lib/forms.js';
import { search, facets } from './collection-api.js';

let running;

async function find() {
  running?.abort();
  running = new AbortController();
  const wanted = values($('#finder'));
  if (!wanted.q) return;
  $('#found').textContent = 'Searching …';
  try {
    const { items, total } = await search(wanted, running.signal);
    $('#found').textContent = total ? `${total} objects` : `Nothing in the collection matches “${wanted.q}”.`;
    fill('#objects', items.map((item) => row(item.id, item.title, item.onView ? 'on view' : 'in store')));
  } catch (error) {
    if (error.name !== 'AbortError') $('#found').textContent = 'The search does not answer at the moment.';
  }
}

$('#finder').addEventListener('submit', (event) => { event.preventDefault(); find(); });
$('#on-view').addEventListener('change', find);
facets().then(({ materials }) => { $('#facets').textContent = materials.join(' · '); });
