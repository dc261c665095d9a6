import { $, esc } from '/lib/dom.js';
import { ConnectionSearch } from './search.js';
import { suggestFor } from './suggest.js';
import { Views } from './views.js';

const search = new ConnectionSearch();
const views = new Views(() => search.leave());

for (const id of ['from', 'to']) suggestFor($('#' + id), $('#known'));

search.addEventListener('begin', () => { $('#found').innerHTML = '<p>Searching…</p>'; });

search.addEventListener('found', ({ detail }) => {
  $('#found').innerHTML = detail.length
    ? `<table>${detail.map(c => `<tr><td>${esc(c.dep)}<td>${esc(c.arr)}<td>${esc(c.train)}<td>${c.changes} changes`).join('')}</table>`
    : `<p class="empty">No connections between ${esc(search.asked.from)} and ${esc(search.asked.to)} on this day.</p>`;
});

$('#ask').addEventListener('submit', event => {
  event.preventDefault();
  search.find($('#from').value, $('#to').value);
  views.go('list');
});
