import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { signal, effect } from '/assets/lib/signals.js';

const units = signal([]);
const since = signal(0);
const busy = signal(false);

effect(() => {
  const from = since();
  busy.set(true);
  getJson(`/api/power/load?since=${from}`).then(load => {
    units.set(load.units);
    busy.set(false);
    since.set(load.now);
  });
});

effect(() => {
  $('#units').replaceChildren(...units().map(unit => h('tr', {}, h('td', {}, unit.id), h('td', {}, unit.site), h('td', {}, `${unit.kw} kW`))));
});

effect(() => {
  $('#state').textContent = busy() ? 'Updating …' : 'Up to date';
  $('#again').disabled = busy();
});

$('#again').addEventListener('click', () => since.set(Date.now()));
getJson('/api/power/crew').then(crew => { $('#crew').textContent = crew.on_call; });
