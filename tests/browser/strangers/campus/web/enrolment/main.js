import { $, el, say } from '/shared/ui.js';
import { ask, pause } from '/shared/http.js';
import { Store } from './store.js';

const store = new Store();
const short = (id) => id.slice(2);

store.addEventListener('change', () => {
  const { courses, mine } = store.state;
  $('#courses').replaceChildren(...Object.entries(courses).filter(([, c]) => c[2] >= 0).map(([id, [title, seats, taken]]) =>
    el('tr', {}, el('td', { textContent: short(id) }), el('td', { textContent: title }), el('td', { textContent: `${taken}/${seats}` }),
      el('td', {}, el('button', { id: `take-${short(id)}`, textContent: mine.includes(id) ? 'Enrolled' : 'Enrol', onclick: () => take(id) })))));
  $('#mine').textContent = mine.length ? `Your courses: ${mine.map(short).join(', ')}` : 'You have not enrolled yet.';
});

async function take(id) {
  const before = store.state.mine;
  store.set({ mine: [...before, id] });
  try {
    await ask(`/api/enrolment/seats/${encodeURIComponent(id)}`, { method: 'PUT', json: {} });
    say(`You have a seat in ${short(id)}.`);
  } catch (error) {
    store.set({ mine: before });
    console.error('enrolment taken back', error);
    if (error.status !== 409) return say('We could not enrol you. Please try again later.');
    say(`${short(id)} is full. ${error.body.queue} others wait before you.`);
    $('#note').append(' ', el('button', { id: 'queue', textContent: 'Join the waiting list', onclick: () => queue(id) }));
  }
}

async function queue(id) {
  say('One moment…');
  const { ticket } = await ask('/api/enrolment/queue', { method: 'POST', json: { id } });
  for (let turn = 0; turn < 8; turn++) {
    try {
      const { place } = await ask(`/api/enrolment/queue/${ticket}`);
      return say(`You are number ${place} on the waiting list of ${short(id)}. We write to you when a seat is free.`);
    } catch (error) {
      if (error.status !== 425) throw error;
      await pause(500);
    }
  }
  say('The waiting list does not answer. Please look again later.');
}
ask('/api/enrolment/courses').then(({ courses }) => store.set({ courses }));
