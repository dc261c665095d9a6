import { api } from '/assets/core/api.js';
import { $, esc, html } from '/assets/core/html.js';
import { createStore } from '/assets/core/reactive.js';

const store = createStore({ monday: '2026-11-30', days: 5, events: [], open: null });

function visible({ monday, days }) {
  const from = new Date(`${monday}T00:00:00Z`);
  const to = new Date(from.getTime() + days * 864e5);
  return { from: monday, to: to.toISOString().slice(0, 10) };
}

async function load({ from, to }) {
  const { events } = await api.get(`/api/calendar?from=${from}&to=${to}`);
  store.set({ events, open: null });
}

function drawEvents(events) {
  $('#events').innerHTML = events
    .map((e) => html`<li><button data-event="${e.id}">${esc(e.at)} ${esc(e.who)}</button></li>`).join('');
}

function drawDetails(id) {
  const event = store.get().events.find((e) => e.id === id);
  $('#details').innerHTML = event ? html`<h2>${esc(event.who)}</h2><p>${esc(event.what)}, room ${event.room}</p>` : '';
}

store.watch((s) => s.monday, (monday) => { $('#week').textContent = monday; });
store.watch((s) => s.events, drawEvents);
store.watch((s) => s.open, drawDetails);
store.watch(visible, load);

$('#events').addEventListener('click', (click) => {
  const button = click.target.closest('[data-event]');
  if (button) store.set({ open: Number(button.dataset.event) });
});
