import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { shelf } from './shelf.js';

const { trip } = await http.get('/api/trips/upcoming');
$('#trip').textContent = trip.title;

function showKept() {
  const kept = shelf.get('trip');
  fill($('#kept'), kept ? h('li', {}, kept.title) : h('li', { className: 'muted' }, 'Nothing is kept on this device.'));
}

async function keep() {
  $('#keep').disabled = true;
  for (const code of trip.legs) {
    const map = await http.get(`/api/maps/${code}`);
    shelf.put(`map.${code}`, map);
  }
  if (trip.legs.every((code) => shelf.get(`map.${code}`))) shelf.put('trip', trip);
  $('#keep').disabled = false;
  showKept();
}

shelf.clear();
showKept();
$('#keep').addEventListener('click', keep);
