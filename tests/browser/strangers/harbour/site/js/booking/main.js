import { $, h, fill } from '/js/core/dom.js';
import { store, boot, field, confirm } from './store.js';
import { mayConfirm, price } from './rules.js';

const view = {
  name: $('#holder'), pier: $('#pier'), total: $('#total'), go: $('#confirm'), done: $('#done'),
};

let piersDrawn = 0;

function drawPiers({ free, form }) {
  if (piersDrawn === free.length) return;
  piersDrawn = free.length;
  fill(view.pier, h('option', { value: '' }, 'Choose a pier'),
    free.map((row) => h('option', { value: row.pier }, `Pier ${row.pier} (${row.count} free)`)));
  if (!form.pier && free.length) {
    view.pier.value = free[0].pier;
    queueMicrotask(() => field('pier', free[0].pier));
  }
}

function draw(state) {
  view.name.textContent = state.me ? state.me.name : '…';
  drawPiers(state);
  const sum = price(state);
  view.total.textContent = sum === null ? '–' : `€ ${sum.toFixed(2)}`;
  view.go.disabled = !mayConfirm(state);
  view.go.textContent = state.sending ? 'Booking…' : 'Confirm booking';
  view.done.textContent = state.reference ? `Booked: ${state.reference}` : '';
}

$('#arrival').addEventListener('input', (event) => field('arrival', event.target.value));
$('#nights').addEventListener('input', (event) => field('nights', Number(event.target.value)));
view.pier.addEventListener('change', (event) => field('pier', event.target.value));
view.go.addEventListener('click', () => confirm());

if (!('share' in navigator)) console.warn('booking: sharing is not available here, the link is hidden');

store.subscribe(draw);
draw(store.get());
boot();
