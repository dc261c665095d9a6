import { $, esc } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { Roster } from './roster.js';

getJson('/api/roster/me').then(me => { $('#who').textContent = `${me.name}, ${me.grade}, ${me.depot}`; });

new Roster(Number($('#no').textContent))
  .onChange(({ shifts }) => {
    $('#week').innerHTML = shifts.length
      ? `<ul>${shifts.map(s => `<li>${esc(s.day)} ${esc(s.from)}–${esc(s.to)} ${esc(s.train)}</li>`).join('')}</ul>`
      : '<p class="empty">You have no shifts this week. Enjoy your days off!</p>';
  })
  .refresh();
