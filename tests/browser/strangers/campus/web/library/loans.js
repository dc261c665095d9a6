import { $, el, say } from '/shared/ui.js';
import { house } from './houses.js';

const day = (serial) => new Date(Date.UTC(1899, 11, 30) + serial * 864e5)
  .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
async function renew(urn, place) {
  // the urn is escaped twice: the old gate in between takes one off
  const answer = await house(`/api/library/loans/${encodeURIComponent(encodeURIComponent(urn))}`, { method: 'PUT' });
  const told = await answer.json();
  if (answer.status === 403) {
    console.warn('renewal refused', told.code);
    return say(`Another reader has reserved this book. Please bring it back by ${day(told.until)}.`);
  }
  if (!answer.ok) return say('The book could not be renewed. Please ask at the desk.');
  place.textContent = day(told.due);
  say('Renewed.');
}
try {
  const { loans } = await (await house('/api/library/loans')).json();
  $('#loans').replaceChildren(...loans.filter((l) => l[4] !== 'returned').map(([urn, title, due]) => {
    const place = el('span', { textContent: day(due) });
    return el('li', {}, `${title}, due `, place, ' ', el('button', { className: `k${urn.slice(-2)}`, textContent: 'Renew', onclick: () => renew(urn, place) }));
  }));
} catch (e) { console.error(e); say('Your loans cannot be shown at the moment.'); }
