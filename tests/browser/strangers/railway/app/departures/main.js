import { $, esc } from '/lib/dom.js';
import { model, load, whenChanged } from './model.js';

model.subscribe(({ rows, busy }) => {
  $('#busy').textContent = busy ? 'Updating…' : 'Up to date';
  $('#rows').innerHTML = rows.map(r => `<tr><td>${esc(r.time)}<td>${esc(r.train)}<td>${esc(r.to)}<td>Track ${esc(r.track)}`).join('');
});

whenChanged(state => state.filter, filter => load(filter));
