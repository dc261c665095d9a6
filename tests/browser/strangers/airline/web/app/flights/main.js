import { http } from '/lib/http.js';
import { $, h, fill, kroner } from '/lib/dom.js';
import { searchFlights } from './search.js';

const row = (flight) => h('tr', {}, h('td', {}, flight.at), h('td', {}, flight.no), h('td', {}, kroner(flight.price)));

async function prepare() {
  const [{ airports }, { days }] = await Promise.all([http.get('/api/airports'), http.get('/api/calendar?month=6')]);
  fill($('#airports'), airports.map((name) => h('option', { value: name })));
  fill($('#days'), days.map(({ day, low }) => h('span', { className: 'card' }, `${day} June from ${low} `)));
}

$('#search').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('#state').textContent = 'Searching ...';
  const found = await searchFlights({ from: 'Bergen', to: $('#to').value, day: 2 });
  fill($('#found'), found.map(row));
  $('#state').textContent = found.length ? `${found.length} flights` : 'We do not fly there on this day.';
});

prepare();
