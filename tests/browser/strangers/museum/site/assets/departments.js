import { $, $$, h, fill, row } from './lib/dom.js';
import { get } from './lib/http.js';
import { createStore } from './lib/store.js';

const wanted = createStore({ department: 'ceramics', onView: false });
const works = createStore({ list: null });

wanted.subscribe(({ department, onView }) => {
  $$('[data-dept]').forEach((tab) => tab.setAttribute('aria-pressed', String(tab.dataset.dept === department)));
  $('#on-view').checked = onView;
  $('#name').textContent = department[0].toUpperCase() + department.slice(1) + (onView ? ', on view' : '');
});

works.subscribe(({ list }) => {
  fill('#works', list
    ? list.map(({ title, room }) => row(title, room ? `Room ${room}` : 'in the depot'))
    : h('p', { class: 'quiet' }, 'Fetching from the depot …'));
});

wanted.subscribe(async ({ department, onView }) => {
  const { works: list } = await get(`/museum/api/departments/${department}${onView ? '?onView=1' : ''}`);
  works.set({ list });
});

$('#tabs').addEventListener('click', (event) => {
  const tab = event.target.closest('[data-dept]');
  if (tab) wanted.set({ department: tab.dataset.dept });
});
$('#on-view').addEventListener('change', (event) => wanted.set({ onView: event.target.checked }));

// what the visitor chose the last time
get('/museum/api/preferences').then(({ onView }) => wanted.set({ onView }));
