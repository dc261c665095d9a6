import { api } from '/lib/api.js';
import { SchedulerClient } from './scheduler.js';

const button = document.querySelector('#confirm');
const state = document.querySelector('#state');

const hold = await api('/api/confirm/hold');
const scheduler = new SchedulerClient(hold.backend, 'lindenau');
document.querySelector('#hold').textContent = `${hold.office}, ${hold.at}`;
button.disabled = false;

button.addEventListener('click', async () => {
  try {
    const done = await scheduler.confirm(hold.hold);
    state.className = 'ok';
    state.textContent = `Confirmed. Your code is ${done.code}.`;
  } catch {
    state.className = 'alert';
    state.textContent = 'You seem to be offline. Check your connection and try again.';
  }
});
