import { getJson } from '/assets/lib/http.js';
import { $ } from '/assets/lib/dom.js';
import { emit } from '/assets/lib/bus.js';
import { windPanel } from './wind.js';

async function look() {
  const { readings } = await getJson('/api/safety/readings');
  $('#panel').replaceChildren(windPanel(readings.map(reading => reading.mast)));
  readings.forEach(reading => emit('reading', reading));
}

getJson('/api/safety/level').then(({ level, text }) => { $('#level').textContent = `${level}: ${text}`; });
look();
setInterval(look, 600);
