import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { createStore } from '/lib/store.js';
import { connect } from './feed.js';

const store = createStore({ desk: 'all', readers: 0, rows: [], state: 'waiting' });
const { desks } = await http.get('/api/analytics/desks');
fill('#desk', desks.map((desk) => h('option', { value: desk }, desk)));
$('#desk').addEventListener('change', (event) => store.set({ desk: event.target.value, state: 'changed' }));

store.subscribe(({ readers, rows, loadedAt }) => {
  $('#readers').textContent = `${readers} readers`;
  $('#state').textContent = loadedAt ? `as of ${new Date(loadedAt).toISOString()}` : '';
  fill('#rows', rows.map((row) => h('tr', {}, h('td', {}, row.title), h('td', {}, String(row.readers)))));
});
connect(store).refresh();
