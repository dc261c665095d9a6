import { $, h, fill, say } from '/assets/lib/dom.js';
import { Search } from './search.js';

const search = new Search(({ q, hits }) => {
  fill($('#hits'), hits.map((name) => h('li', {}, name)));
  say(q ? `${hits.length} found for "${q}"` : '');
});

async function resume() {
  search.type('o'); // something to begin with
  const { q } = await (await fetch('/api/varieties/last')).json();
  if ($('#q').value) return;
  $('#q').value = q;
  search.type(q);
}

$('#q').addEventListener('input', (event) => search.type(event.target.value));
fetch('/api/varieties/season-hint').then((response) => {
  if (!response.ok) console.warn('varieties: no hint for this season');
});
resume();
