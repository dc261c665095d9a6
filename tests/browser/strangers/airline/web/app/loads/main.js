import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { runFeed } from './feed.js';

const flights = ['SV101', 'SV118', 'SV204', 'SV310', 'SV418', 'SV422', 'SV506', 'SV511'];
const loads = await Promise.all(flights.map((flight) => http.get(`/api/loads/${flight}`)));
fill($('#loads'), loads.map((load) => h('tr', {}, h('td', {}, load.flight), h('td', {}, `${load.sold} of ${load.seats}`), h('td', {}, load.bags),
  h('td', {}, load.cargo === null ? 'no cargo' : `${load.cargo} kg`))));
for (const load of loads.filter((load) => load.cargo === null)) console.error(`loads: ${load.flight} has no entry for cargo`);
runFeed($('#feed'));
