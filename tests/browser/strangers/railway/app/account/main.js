import { $, h } from '/lib/dom.js';
import { Session } from './session.js';
import { remember } from './memory.js';

const session = new Session();
const me = await session.get('/api/account/me');
$('#me').textContent = `${me.name}, ${me.level}, ${me.points} points`;
$('#me').prepend(h('img', { src: '/img/avatars/holm.png', alt: '', onerror: event => event.target.replaceWith('(IH) ') }));

const { trips } = await session.get('/api/account/trips');
for (const trip of trips) {
  remember(trip.day, trip.map);
  $('#trips').append(h('li', {}, `${trip.day}: ${trip.train}`));
}
