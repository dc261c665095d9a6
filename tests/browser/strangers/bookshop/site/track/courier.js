import { api } from '/lib/http.js';

const eta = document.querySelector('#eta');

function showPosition({ stop, minutes }) {
  document.querySelectorAll('#stops li').forEach((li, i) => { li.className = i === stop ? 'here' : ''; });
  eta.className = '';
  eta.textContent = `About ${minutes} minutes to your door.`;
}

async function showRoute() {
  const route = await api('/api/courier/route');
  document.querySelector('#who').textContent = `${route.parcel} with ${route.courier}`;
  document.querySelector('#stops').innerHTML = route.stops.map((s) => `<li>${s}</li>`).join('');
}

function follow() {
  const source = new EventSource('/api/courier/stream');
  source.onmessage = (e) => showPosition(JSON.parse(e.data));
  source.onerror = () => { eta.textContent = 'The connection to the courier was lost.'; };
}

showRoute().then(follow);
