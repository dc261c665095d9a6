import { getJson } from '/assets/lib/http.js';
import { mount, v } from '/assets/lib/vdom.js';

const room = area => Math.max(0, area.free || 0);

const card = area => v('div', { className: 'card' },
  v('strong', null, area.name), ' ',
  room(area)
    ? v('button', { onclick: () => change({ chosen: area.id }) }, `Book a pitch (${room(area)} free)`)
    : v('span', { className: 'alert' }, 'Fully booked'));

const view = ({ areas, rules, chosen, quiet }, set) => v('section', null,
  v('label', null, v('input', { type: 'checkbox', checked: quiet, onchange: event => set({ quiet: event.target.checked }) }), ' only quiet areas'),
  areas.filter(area => !quiet || area.quiet).map(card),
  chosen && v('p', null, `Chosen: ${chosen}`),
  v('ul', null, rules.map(rule => v('li', { className: 'muted' }, rule))));

const change = mount(document.querySelector('#areas'), view, { areas: [], rules: [], chosen: null, quiet: false });

getJson('/api/camping/areas').then(({ areas }) => change({ areas }));
getJson('/api/camping/rules').then(({ rules }) => change({ rules }));
