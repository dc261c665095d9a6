import { api, optional } from '/assets/lib/api.js';
import { $, h, fill } from '/assets/lib/dom.js';
import { Cart } from './cart.js';
import { lines, summary } from './view.js';

const nodes = { goods: $('#goods'), total: $('#total'), order: $('#order'), hint: $('#hint') };

async function suggestions() {
  const list = await optional(api.get('/api/basket/suggestions'));
  if (!list) {
    console.warn('basket: nothing to suggest');
    $('#suggestions').hidden = true;
    return;
  }
  fill($('#suggestions ul'), list.map((item) => h('li', {}, item.name)));
}

async function depots() {
  const list = await api.get('/api/depots');
  fill($('#depot'), list.map((depot) => h('option', { value: depot.id }, depot.name)));
}

const cart = new Cart(await api.get('/api/basket'));
lines($('#lines tbody'), cart);
summary(nodes, cart);
await Promise.allSettled([depots(), suggestions()]);
