import { http } from '../lib/http.js';
import { $, el, fill, row, toast } from '../lib/ui.js';

const detail = $('#detail');

async function open(booking) {
  detail.hidden = false;
  detail.textContent = 'Loading…';
  try {
    const full = await http.get(`/api/bookings/${booking.id}`);
    fill(detail, [el('h2', {}, full.reference), el('p', {}, `${full.pallets} pallets, ${full.weight} kg`), el('p', {}, full.instructions)]);
  } catch (error) {
    if (error.status === 404) detail.textContent = 'This booking has been removed.';
    else toast('The booking could not be opened.');
  }
}

function line(booking, index) {
  const button = el('button', { id: `open-${index + 1}`, onclick: () => open(booking) }, 'Open');
  return row(booking.reference, booking.customer, booking.collection, button);
}

http.get('/api/bookings').then(({ items }) => {
  fill($('#bookings'), items.length ? items.map(line) : [row('No bookings yet.')]);
}).catch(() => toast('Bookings could not be loaded.'));
