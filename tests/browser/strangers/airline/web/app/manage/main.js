import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { findBooking } from './bookings.js';

$('#find').addEventListener('submit', async (event) => {
  event.preventDefault();
  const code = $('#code').value.trim().toUpperCase();
  const booking = await findBooking(code);
  fill($('#result'), booking
    ? h('div', { className: 'card' }, `${booking.code}: ${booking.flight}, ${booking.name}`)
    : h('p', {}, `We do not know a booking ${code}. Is the reference right?`));
});

const { hints } = await http.get('/api/hints');
fill($('#hints'), hints.map((hint) => h('li', {}, hint)));
