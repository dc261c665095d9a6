import { http } from '/lib/http.js';
import { $, h, fill, kroner } from '/lib/dom.js';
import { basket, loadBasket } from './basket.js';
import { totalOf, canPay } from './total.js';

basket.subscribe((state) => {
  fill($('#lines'), state.lines.map((line) => h('tr', {}, h('td', {}, line.what), h('td', {}, kroner(line.price)))));
  const total = totalOf(state);
  $('#total').textContent = Number.isFinite(total) ? kroner(total) : '-';
  $('#pay').disabled = !canPay(state);
  $('#hint').textContent = canPay(state) ? '' : 'Put a journey into your basket to pay.';
});

async function extras() {
  const { extras } = await http.get('/api/extras');
  fill($('#extras'), extras.map((extra) => h('figure', {}, h('img', { src: extra.image, alt: '', width: 60 }), h('figcaption', {}, extra.name))));
}

loadBasket();
extras();
