import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { tripsOfYear } from './trips.js';

http.get('/api/club/account').then((account) => { $('#account').textContent = `${account.member}, ${account.tier}, ${account.points} points`; });
const trips = await tripsOfYear();
fill($('#trips'), trips.map((trip) => h('tr', {}, h('td', {}, trip.date), h('td', {}, trip.route), h('td', {}, trip.points))));
$('#state').textContent = `${trips.length} trips`;
