import { getJson } from '/assets/lib/http.js';
import { $, h, money } from '/assets/lib/dom.js';
import { basket, add, total } from './basket.js';
import { priceList } from './prices.js';

basket.subscribe(({ goods, counts }) => {
  $('#goods').replaceChildren(...goods.map(({ sku, name }) => h('tr', {},
    h('td', {}, name), h('td', {}, String(counts[sku] ?? 0)),
    h('td', {}, h('button', { id: `add-${sku}`, onclick: () => add(sku) }, 'Add')))));
});

basket.subscribe(state => {
  const sum = total(state);
  const minimum = state.me?.minimum ?? 0;
  $('#sum').textContent = money(sum);
  $('#order').disabled = !state.me || sum < minimum;
  $('#hint').textContent = state.me && sum < minimum ? `The minimum of an order is ${money(minimum)}.` : '';
});

basket.subscribe(({ slots }) => {
  $('#slot').replaceChildren(...slots.map(slot => h('option', {}, slot)));
});

const me = await getJson('/api/vendors/me');
$('#stall').textContent = `${me.name}, stall ${me.stall}`;
const [goods, priceOf, { slots }] = await Promise.all([getJson('/api/vendors/goods'), priceList(me.season), getJson('/api/vendors/deliveries')]);
basket.set({ me, goods, priceOf, slots });
