import { http } from '../lib/http.js';
import { $ } from '../lib/ui.js';

const ID = 'BO-77120';

function show({ arrival, stopsBefore }) {
  $('#eta').textContent = arrival;
  $('#note').textContent = stopsBefore ? `${stopsBefore} stops before yours` : 'You are next';
}

function follow(id) {
  const source = new EventSource(`/api/eta/stream?consignment=${id}`);
  source.onopen = () => { $('#note').textContent = 'Connected to the vehicle'; };
  source.onmessage = (event) => show(JSON.parse(event.data));
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) $('#note').textContent = 'No connection to the vehicle';
  };
  addEventListener('pagehide', () => source.close());
}

http.get(`/api/consignments/${ID}`).then((consignment) => {
  if (consignment.state === 'on the road') follow(consignment.id);
  else $('#eta').textContent = consignment.state;
});
