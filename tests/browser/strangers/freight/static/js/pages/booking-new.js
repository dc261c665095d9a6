import { http, HttpError } from '../lib/http.js';
import { busy, values } from '../lib/form.js';
import { $, el, fill, toast } from '../lib/ui.js';

const form = $('#booking');
const state = $('#state');
const draft = { stops: [] };

function render() {
  fill($('#stops'), draft.stops.map((stop) => el('li', {}, `${stop.place} (${stop.kind})`)));
}

$('#add').addEventListener('click', () => {
  const place = $('#stop').value.trim();
  if (!place) return;
  draft.stops.push({ place, kind: draft.stops.length ? 'delivery' : 'collection' });
  $('#stop').value = '';
  render();
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = { ...values(form), stops: draft.stops, extras: [] };
  busy(form, true);
  try {
    const made = await http.post('/api/bookings', body);
    state.textContent = `Booked as ${made.reference}.`;
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) state.textContent = 'Please check the stops of your booking.';
    else toast('The booking could not be placed.');
  } finally {
    busy(form, false);
  }
});
