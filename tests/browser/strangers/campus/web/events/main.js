import { $, el, say } from '/shared/ui.js';
import { ask } from '/shared/http.js';
import { events } from './ics.js';

const berlin = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' });
const confirmed = (fee) => new Promise((done) => {
  $('#fee').textContent = `The ticket costs €${(fee / 100).toFixed(2)}. Take it?`;
  $('#pay').onclick = () => { $('#sure').close(); done(true); };
  $('#leave').onclick = () => { $('#sure').close(); done(false); };
  $('#sure').showModal();
});
async function ticket(uid, sure) {
  try {
    const { ticket: nr } = await ask(`/api/events/${uid}/ticket`, { method: 'POST', json: { sure } });
    say(`Your ticket is ${nr}.`);
  } catch (e) {
    if (e.status !== 428) { say('No ticket could be had. Please try again.'); throw e; }
    console.error('events: a confirmation is required', e.body);
    if (await confirmed(e.body.fee)) await ticket(uid, true);
    else say('No ticket was taken.');
  }
}
const all = events(await ask('/api/events/calendar.ics')).filter((e) => e.at > Date.now()).sort((a, b) => a.at - b.at);
$('#list').replaceChildren(...all.map((e) => el('li', {}, `${berlin.format(e.at)} – ${e.title} `,
  e.uid === '4' ? el('button', { id: 'ticket', textContent: 'Ticket', onclick: () => ticket(e.uid, false) }) : '')));
$('#sum').textContent = `${all.length} dates to come, in the time of the campus.`;
