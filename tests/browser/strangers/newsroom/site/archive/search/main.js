import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { search, suggest } from './client.js';

http.get('/api/archive/volumes').then((v) => { $('#volumes').textContent = `${v.first}–${v.last}, ${v.pages} pages`; });

$('#q').addEventListener('input', async (event) => {
  const { words } = await suggest(event.target.value).catch(() => ({ words: [] }));
  if (words.length) $('#suggest').textContent = `Did you mean: ${words.join(', ')}`;
});
$('#go').addEventListener('click', async () => {
  const q = $('#q').value;
  fill('#hits', h('p', {}, 'Searching…'));
  const { total, hits } = await search(q);
  fill('#hits', h('p', {}, total ? `${total} results` : `Nothing in the archive for “${q}”.`),
    hits.map((hit) => h('div', { className: 'card' }, `${hit.title} (${hit.year})`)));
});
