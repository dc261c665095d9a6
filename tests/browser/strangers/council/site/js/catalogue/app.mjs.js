import { h, app } from './h.js';
import { page, works } from './pages.js';

const view = (s, update) => h('div', null,
  h('p', null, 'Sort by ', ['title', 'year'].map((k) => h('button', { id: `by-${k}`, ariaPressed: String(s.sort === k), onclick: () => go(1, k) }, k))),
  s.data
    ? [h('p', { className: 'muted' }, `Page ${s.data.page} of ${s.data.pages} · ${s.list.length} works in ${s.data.editions.length} editions`),
      h('ul', null, s.list.map((w) => h('li', null, `${w.title} (${w.year})`, w.editions > 1 ? ` – ${w.editions} editions` : '', w.shelf ? ` · shelf ${w.shelf}` : ' · ask at the desk'))),
      h('button', { id: 'next', disabled: s.data.page === s.data.pages, onclick: () => go(s.data.page + 1, s.sort) }, 'Next page')]
    : h('p', null, 'Opening the catalogue…'));

const update = app(document.getElementById('app'), { sort: 'title', data: null, list: [] }, view);
let turn = 0;
async function go(n, sort) {
  const mine = ++turn;
  update({ sort });
  const data = await page(n, sort);
  if (mine !== turn) return;
  const list = works(data.editions).sort(sort === 'year' ? (a, b) => b.year - a.year : (a, b) => a.title.localeCompare(b.title));
  update({ data, list });
}
go(1, 'title');
