import { $, h, fill, say } from '/assets/lib/dom.js';
import { Store } from './store.js';
import { actionsOf } from './actions.js';

const store = new Store({ week: 49, team: 'pickers', teams: [], shifts: null, loaded: 0, notice: 'Loading …' });
const actions = actionsOf(store);

store.react((state) => ({ week: state.week, team: state.team }), (choice) => actions.loadShifts(choice));

store.react((state) => state.teams, (teams, { team }) => {
  fill($('#team'), teams.map((name) => h('option', { value: name, selected: name === team }, name)));
});

store.react((state) => state.shifts, (shifts) => {
  fill($('#shifts tbody'), (shifts ?? []).map(({ who, day, task }) => h('tr', {}, h('td', {}, day), h('td', {}, who), h('td', {}, task))));
});

store.react((state) => state.notice, (notice) => say(notice));

$('#team').addEventListener('change', (event) => actions.chooseTeam(event.target.value));
actions.loadTeams();
