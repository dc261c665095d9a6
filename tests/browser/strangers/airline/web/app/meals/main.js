import { http } from '/lib/http.js';
import { $, h, fill, kroner } from '/lib/dom.js';
import '/lib/pulse.js';
import { Kitchen } from './kitchen.js';

const trip = await http.get('/api/trips/next');
$('#trip').textContent = `${trip.flight}, ${trip.date}`;
const kitchen = new Kitchen(trip.departure);

kitchen.allergens().then(({ allergens }) => { $('#allergens').textContent = `We mark: ${allergens.join(', ')}.`; });

const menu = await kitchen.menu();
fill($('#menu'), menu.open
  ? menu.dishes.map((dish) => h('div', { className: 'card' }, `${dish.name} ${kroner(dish.price)} `, h('button', {}, 'Order')))
  : h('p', {}, 'The kitchen takes no more orders for this flight.'));
