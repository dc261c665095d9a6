import { attachments, entries, nights } from './data.js';
import { h, mount } from './dom.js';

const places = { nights: document.querySelector('#nights'), title: document.querySelector('#title'), log: document.querySelector('#log') };
const state = { night: null, nights: [] };

const spoken = night => new Date(night + 'T12:00:00Z').toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

function drawNights() {
  mount(places.nights, state.nights.map(night =>
    h('button', { type: 'button', data: { night }, 'aria-pressed': String(night === state.night), onclick: () => go(night) }, spoken(night))));
}

function drawLog(rows) {
  mount(places.title, `Night of ${spoken(state.night)}`);
  mount(places.log, rows.map(row => h('div', { class: 'card' }, h('strong', {}, row.time), ' ', row.text)));
}

async function go(night) {
  state.night = night;
  drawNights();
  try {
    drawLog(await entries(night));
  } catch (error) {
    mount(places.log, h('p', { class: 'error' }, 'The log cannot be read'));
    console.error(error);
  }
  attachments(night).catch(() => console.info('[log] no attachments'));
}

state.nights = await nights();
await go(state.nights[0]);
