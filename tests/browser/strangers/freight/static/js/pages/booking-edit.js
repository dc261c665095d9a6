import { busy, values } from '../lib/form.js';
import { Resource } from '../lib/resource.js';
import { $, toast } from '../lib/ui.js';

const form = $('#edit');
const state = $('#state');
const booking = new Resource('/api/bookings/4417');

function show(data) {
  form.elements.dock.value = data.dock;
  form.elements.instructions.value = data.instructions;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const changes = values(form);
  busy(form, true);
  state.textContent = '';
  try {
    show(await booking.save(changes));
    state.textContent = 'All changes are saved';
  } catch (error) {
    if (error.status === 412) state.textContent = 'A colleague has changed this booking in the meantime. Reload to see their changes.';
    else toast(`Not saved: ${error.message}`);
  } finally {
    busy(form, false);
  }
});

booking.load().then((data) => { show(data); state.textContent = ''; }, () => { state.textContent = 'Not available'; });
