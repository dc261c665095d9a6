import { $, el, say } from '/shared/ui.js';
import { ask, pause } from '/shared/http.js';

let chosen = null;
let list = [];
const step = (n) => [1, 2, 3].forEach((i) => $(`#s${i}`).classList.toggle('away', i !== n));

async function free(turn = 0) {
  try {
    return (await ask('/api/rooms/free')).split('\r\n').slice(1).map((l) => l.split(';'));
  } catch (e) {
    if (e.status !== 429 || turn > 2) throw e;
    say('Many are looking for rooms now. One moment, we ask again…');
    await pause(e.wait * 1000);
    return free(turn + 1);
  }
}
function offer() {
  $('#free').replaceChildren(...list.map((room) => el('li', {}, el('button', { id: `r-${room[0].replace('.', '-')}`, textContent: `${room[0]}, ${room[1]} seats`, onclick: () => { chosen = room; $('#ask').textContent = `Book ${room[0]} from ${room[2] / 100}:00 to ${room[3] / 100}:00?`; step(3); } }))));
  step(2);
}
$('#find').onclick = async () => {
  try {
    const seats = Number($('#seats').value);
    list = (await free()).filter((r) => r[1] >= seats && r[1] <= seats * 2);
    say(`${list.length} rooms suit a group of ${seats}. Larger ones are kept for lectures.`);
    offer();
  } catch (e) { console.error(e); say('The rooms cannot be searched at the moment.'); }
};
$('#no').onclick = offer;
$('#yes').onclick = async () => {
  try {
    const { booking } = await ask('/api/rooms/bookings', { method: 'POST', json: { room: chosen[0] } });
    $('#s3').classList.add('away');
    say(`Room ${chosen[0]} is yours. Booking ${booking}.`);
  } catch (e) {
    console.error('booking refused', e.body);
    if (e.status !== 409) return say('The booking did not work. Please try again.');
    say(`${e.body.by} has just taken ${chosen[0]}. Please choose another room.`);
    list = list.filter((r) => r !== chosen);
    offer();
  }
};
