import { $, h, fill, say } from '/assets/lib/dom.js';
import { WEEK, book, machine, watchSlots } from './bookings.js';

const DAYS = { mon: 'Monday', tue: 'Tuesday', wed: 'Wednesday' };

async function choose(slot) {
  say('Booking …');
  try {
    const booking = await book(slot.id);
    say(booking.confirmed ? `Booked: ${DAYS[slot.day]} at ${slot.hour}:00.` : 'Not yet confirmed.');
  } catch (error) {
    console.warn('press', error);
    say('That could not be booked.');
  }
}

function slotCard(slot) {
  return h('div', { class: 'card', 'data-slot': slot.id },
    h('strong', {}, `${DAYS[slot.day]} ${slot.hour}:00`), ' ',
    slot.free ? h('button', { id: `book-${slot.id}`, onclick: () => choose(slot) }, 'Book') : h('span', { class: 'muted' }, 'taken'));
}

watchSlots(({ slots }) => {
  fill($('#slots'), slots.map(slotCard));
  $('#free').textContent = `${slots.filter((slot) => slot.free).length} free in week ${WEEK}`;
});
fetch('/api/press/queue').then((response) => {
  if (!response.ok) console.warn(`press: the queue is not shown (${response.status})`);
});
machine().then(({ name, litres }) => { $('#machine').textContent = `${name}, ${litres} litres an hour`; });
