import { $, h, fill, say } from '/assets/lib/dom.js';
import { Pager } from './pager.js';
import { labelOf, ordersOf } from './source.js';

const pager = new Pager(ordersOf);
const button = $('#more');
const body = $('#orders tbody');

async function lineOf(order) {
  return h('tr', {}, h('td', {}, `#${order.number}`), h('td', {}, order.customer), h('td', {}, `${order.kilos} kg`), h('td', {}, await labelOf(order.state)));
}

async function advance() {
  button.disabled = true;
  try {
    const items = await pager.next();
    fill(body, await Promise.all(items.map(lineOf)));
    say(`${items.length} of ${pager.total} orders`);
    button.hidden = !pager.more;
  } catch (error) {
    console.error('orders', error);
    say('Orders cannot be shown.');
  } finally {
    button.disabled = false;
  }
}

button.addEventListener('click', () => {
  window.beacon?.send('more', { shown: pager.items.length });
  advance();
});
advance();
