import { $, el, money } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { prepare, toPayment } from './flow.js';

const order = await prepare();
$('#summary').textContent = `${order.basket.lines} articles, ${money(order.basket.total)}, to ${order.address.street}`;
$('#continue').disabled = false;

$('#continue').addEventListener('click', async () => {
  count('checkout');
  $('#payment').textContent = 'One moment…';
  const { methods } = await toPayment(order);
  if (!methods.length) {
    $('#payment').textContent = 'No payment method is available in your country.';
    return;
  }
  $('#payment').replaceChildren(...methods.map((name) => el('button', { className: 'method' }, name)));
});
