import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { attachTip } from './tips.js';

function row(move) {
  const element = h('tr', {}, h('td', {}, move.flight), h('td', {}, move.stand), h('td', {}, `${move.delay} min`));
  attachTip(element, move);
  return element;
}

async function tick() {
  const { movements, tick: number } = await http.get('/api/ops/movements');
  fill($('#moves'), movements.map(row));
  $('#tick').textContent = `Update ${number}`;
}

tick();
setInterval(tick, 700);
const runway = await http.get('/api/ops/runway');
$('#runway').textContent = `Runway ${runway.runway}: ${runway.state}`;
