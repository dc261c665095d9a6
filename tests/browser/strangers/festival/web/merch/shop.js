import { getJson, sendJson } from '/assets/lib/http.js';
import { $, h, money } from '/assets/lib/dom.js';
import { createStore } from '/assets/lib/store.js';

const shop = createStore({ items: [], bag: [], percent: 0, said: '' });
const visit = Math.random().toString(36).slice(2);

async function patient(url, tries = 5) {
  for (let n = 1; ; n++) {
    try {
      return await getJson(url);
    } catch (error) {
      if (error.status !== 503 || n === tries) throw error;
      console.warn(`shop: ${error.message}, try ${n}`);
      await new Promise(go => setTimeout(go, 250 * n));
    }
  }
}

shop.subscribe(({ items, bag, percent, said }) => {
  $('#items').replaceChildren(...items.map(item => h('tr', {}, h('td', {}, item.name), h('td', {}, money(item.cents)),
    h('td', {}, h('button', { id: `take-${item.sku}`, onclick: () => shop.set({ bag: [...bag, item] }) }, 'Take')))));
  const sum = bag.reduce((all, item) => all + item.cents, 0);
  $('#bag').textContent = `${bag.length} in the bag, ${money(sum * (100 - percent) / 100)}`;
  $('#said').textContent = said;
});

$('#voucher').addEventListener('submit', async event => {
  event.preventDefault();
  try {
    const { percent } = await sendJson('POST', '/api/merch/vouchers', { code: $('#code').value });
    shop.set({ percent, said: `${percent} % less` });
  } catch (error) {
    shop.set({ said: JSON.parse(error.body).error });
  }
});

shop.set({ items: (await patient(`/api/merch/items?visit=${visit}`)).items });
