import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { Roster } from './roster.js';

const roster = new Roster();
roster.addEventListener('loaded', () => {
  $('#shifts').replaceChildren(...(roster.shifts.length
    ? roster.shifts.map(shift => h('li', {}, `${shift.day} ${shift.from}–${shift.to}, ${shift.place}`))
    : [h('li', { className: 'muted' }, 'You have no shifts. Enjoy the music!')]));
});

getJson('/api/volunteers/me').then(me => { $('#me').textContent = `${me.name}, team ${me.team}: ${me.assigned} shifts, ${me.hours} hours`; });
getJson('/api/volunteers/team').then(({ team }) => { $('#team').textContent = team.join(', '); });
roster.load();
