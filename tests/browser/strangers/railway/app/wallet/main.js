import { $, h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { shelf } from './shelf.js';
import { keepPlans } from './plans.js';

function* rows(tickets) {
  for (const ticket of tickets) {
    const kept = shelf.get(`ticket.${ticket.no}`) !== null;
    yield h('tr', {},
      h('td', {}, ticket.no), h('td', {}, `${ticket.from} – ${ticket.to}`), h('td', {}, ticket.day),
      h('td', {}, kept ? 'on this device' : h('button', { 'data-no': ticket.no }, 'Keep on this device')));
  }
}

const { tickets } = await getJson('/api/wallet/tickets');

function show() {
  $('#tickets').replaceChildren(...rows(tickets));
  const count = [...shelf.keys('ticket.')].length;
  $('#kept').textContent = `${count} of ${tickets.length} tickets can be shown without network.`;
}

$('#tickets').addEventListener('click', async ({ target }) => {
  const { no } = target.dataset;
  if (!no) return;
  target.disabled = true;
  const { image } = await getJson(`/api/wallet/tickets/${no}/image`);
  shelf.put(`ticket.${no}`, JSON.stringify({ no, image, at: Date.now() }));
  show();
});

await keepPlans();
show();
