import { api, optional } from '/assets/lib/api.js';
import { $, fill, say } from '/assets/lib/dom.js';
import { ColdStoreClient } from './client.js';
import { roomCard } from './rooms.js';

const client = new ColdStoreClient({
  base: '/api/cold-store',
  token: document.querySelector('meta[name="store-token"]').content,
});

async function show() {
  say('Looking into the rooms …');
  const [legend, doors] = await Promise.all([
    api.get('/api/cold-store/legend'),
    optional(api.get('/api/cold-store/doors'), { doors: [] }),
  ]);
  if (!doors.doors.length) console.warn('cold store: doors are not watched');
  try {
    const { rooms } = await client.get('/rooms');
    fill($('#rooms'), rooms.map((room) => roomCard(room, legend.levels)));
    say(`${rooms.length} rooms`);
  } catch (error) {
    say(error.code === 'SIGNED_OUT' ? 'Your session has ended. Please sign in again to see the rooms.' : 'The rooms cannot be shown.');
    $('#again').hidden = false;
  }
}

$('#again').addEventListener('click', show);
await show();
