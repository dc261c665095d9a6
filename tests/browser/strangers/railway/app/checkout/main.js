import { $, h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { loadScript } from './loader.js';

const { items } = await getJson('/api/basket');
const total = items.reduce((sum, item) => sum + item.price, 0).toFixed(2);
$('#items').append(...items.map(item => h('li', {}, `${item.what}: ${item.price.toFixed(2)} €`)));
$('#total').textContent = `${total} €`;

const ready = loadScript('http://127.0.0.1:@@PARTNER@@/pay/panel.js');

$('#pay').addEventListener('click', async () => {
  await ready;
  if (window.PayPanel) {
    await PayPanel.open($('#panel'), total);
  } else {
    $('#panel').textContent = 'Payment by card is not offered at the moment. Please pay at a ticket machine.';
  }
});
