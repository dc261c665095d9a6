import { $, h, fill } from '/js/core/dom.js';
import { stations, extremes, sunTimes } from './service.js';
import { NETWORK, LABELS } from './settings.js';

const table = $('#extremes');
const chosen = $('#station');

function rows(list) {
  if (!list.length) return [h('tr', {}, h('td', { colspan: 3, class: 'muted' }, 'There are no tides at this station today.'))];
  return list.map((item) => h('tr', {}, h('td', {}, item.at), h('td', {}, LABELS[item.kind]), h('td', {}, `${item.height.toFixed(2)} m`)));
}

function curve(list) {
  const path = $('#curve path');
  if (list.length < 2) {
    path.setAttribute('d', 'M0 60 L600 60');
    return;
  }
  const points = list.map((item) => {
    const [hours, minutes] = item.at.split(':').map(Number);
    return `${((hours * 60 + minutes) / 1440) * 600} ${120 - item.height * 80}`;
  });
  path.setAttribute('d', 'M' + points.join(' L'));
}

function show(station) {
  table.setAttribute('aria-busy', 'true');
  return extremes(station).then((list) => {
    fill(table, rows(list));
    curve(list);
    table.removeAttribute('aria-busy');
  });
}

stations()
  .then((list) => {
    fill(chosen, list.map((row) => h('option', { value: row.code, selected: row.code === NETWORK.station }, row.name)));
    chosen.onchange = () => show(chosen.value);
  })
  .then(() => show(NETWORK.station));

sunTimes().then((sun) => {
  $('#sun').textContent = sun ? `Sun ${sun.rise} – ${sun.set}` : '';
});

const moon = $('#moon');
moon.onerror = () => { moon.hidden = true; };
moon.src = '/img/moon/phase-current.png';
