import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';

async function start() {
  const { fares } = await http.get('/api/fares/week');
  const rows = fares.map((fare) => h('tr', {}, h('td', {}, fare.to), h('td', {}, window.FareFormat.money(fare.minor, 'NOK'))));
  fill($('#fares'), rows);
  $('#state').hidden = true;
}

start();
