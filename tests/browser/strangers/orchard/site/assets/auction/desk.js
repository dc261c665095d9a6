import { $, h, fill } from '/assets/lib/dom.js';

const pounds = (value) => `£${value}`;

export function lotView(root, { onBid }) {
  const form = $('#bid-form', root);
  const history = $('#history', root);

  function submit(event) {
    event.preventDefault();
    onBid(Number(form.elements.amount.value));
  }

  return function render({ lot, message }) {
    if (!lot) return;
    $('#lot-title', root).textContent = `Lot ${lot.lot}: ${lot.title}`;
    $('#price', root).textContent = pounds(lot.price);
    $('#watching', root).textContent = `${lot.watching} are watching`;
    $('#message', root).textContent = message ?? '';
    form.elements.amount.value = lot.price + lot.step;
    fill(history, lot.bids.slice().reverse().map((bid) => h('li', {}, `${bid.by}: ${pounds(bid.amount)}`)));
    form.hidden = false;
    form.addEventListener('submit', (event) => submit(event));
  };
}
