import { $, h, fill } from '/js/core/dom.js';
import { Bus } from '/js/core/bus.js';
import { Scope } from './scope.js';
import { RosterClient } from './roster-client.js';
import { ShiftPanel } from './panel.js';

const bus = new Bus();
const page = new Scope();
const client = new RosterClient(page);
let people = [];
let panel = null;

async function load() {
  const { shifts } = await client.shifts();
  fill($('#shifts'), shifts.map((shift) => h('tr', { dataset: { shift: shift.id } },
    h('td', {}, shift.day), h('td', {}, shift.slot), h('td', { class: 'who' }, shift.who),
    h('td', {}, h('button', { class: 'change', id: `change-${shift.id}`, onclick: () => open(shift) }, 'Change')))));
  $('#state').textContent = `As of ${new Date().toLocaleTimeString()}`;
}

function open(shift) {
  panel?.close();
  panel = new ShiftPanel(shift, people, bus);
  panel.open($('#side'));
}

bus.on('roster:changed', load);
bus.on('panel:closed', () => { panel = null; });
window.addEventListener('pagehide', () => page.end());

const [, staff, calendar] = await Promise.all([load(), client.people(), client.holidays()]);
people = staff.people;
if (!calendar.days.length) console.warn('roster: no public holidays for this year, none are marked');
