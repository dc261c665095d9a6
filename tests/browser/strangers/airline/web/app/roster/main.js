import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { week, loadWeek, watchFilter } from './week.js';

week.subscribe(({ people, busy }) => {
  $('#state').textContent = busy ? 'Updating ...' : '';
  fill($('#people'), people.map((person) => h('tr', {}, h('th', {}, person.name), ...person.days.map((day) => h('td', {}, day)))));
});
watchFilter();

const { bases } = await http.get('/api/roster/bases');
fill($('#base'), bases.map((base) => h('option', { value: base }, base)));
$('#base').addEventListener('change', () => week.set({ filter: { base: $('#base').value } }));
loadWeek(week.get().filter);
