import { $ } from '/shared/ui.js';
import { ask } from '/shared/http.js';

const rooms = new Map();
async function everything() {
  let url = '/api/housing/rooms?page=1';
  while (url) {
    const response = await fetch(url);
    for (const room of await response.json()) {
      if (rooms.has(room.id)) console.warn('housing: listed twice', room.id);
      rooms.set(room.id, room);
    }
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
}
function show() {
  const family = $('#who').value === 'family';
  const fit = [...rooms.values()].filter((r) => r.for === 'any' || (family && r.for === 'family'));
  $('room-list').rows = fit.sort((a, b) => a.rent - b.rent);
  $('#sum').textContent = `${fit.length} of ${rooms.size} rooms suit your household. Rents are rounded to whole euros.`;
}
$('#who').onchange = show;
await everything();
show();
ask('/api/housing/application').catch((e) => {
  if (e.status !== 404) throw e;
  $('#own').textContent = 'You have not applied for a room yet.';
});
ask('/api/housing/staff-flats').catch((e) => {
  console.error('housing: staff flats', e.message, e.body);
  $('#staff').textContent = e.status === 403 ? 'Only members of staff can see the staff flats.' : 'The staff flats cannot be shown at the moment.';
});
