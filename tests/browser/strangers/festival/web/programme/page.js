import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { peaksOf } from './peaks.js';
import { recall, remember } from './memory.js';

const state = { acts: [], picks: [], ...recall() };

function draw() {
  $('#acts').replaceChildren(...state.acts.map(act => h('tr', {},
    h('td', {}, act.at), h('td', {}, act.name),
    h('td', {}, h('button', { id: `pick-${act.id}`, onclick: () => pick(act.id) }, state.picks.includes(act.id) ? 'Picked' : 'Pick')))));
  $('#mine').textContent = state.picks.length
    ? `Your programme: ${state.acts.filter(act => state.picks.includes(act.id)).map(act => act.name).join(', ')}`
    : 'You have picked nothing yet.';
}

function pick(id) {
  state.picks = state.picks.includes(id) ? state.picks.filter(one => one !== id) : [...state.picks, id];
  remember(state);
  draw();
}

const { acts } = await getJson('/api/programme/acts');
state.acts = acts.map(act => ({ ...act, peaks: peaksOf(act) }));
draw();
