import { createStore } from '/lib/store.js';
import { getJSON, postJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
const store = createStore((s, a) => ({ ...s, ...a.part }), { products: [], cart: [] });
store.subscribe((s) => {
  fill($('#products'), s.products, (p) => p.name);
  fill($('#cart'), s.cart, (c) => `${c.count} × ${c.name}`);
  $('#n').textContent = s.cart.length;
});
const loadCart = async () => store.dispatch({ part: { cart: await getJSON('/api/shop/cart') } });
$('#add').addEventListener('click', async () => {
  const answer = await postJSON('/api/shop/cart/items', { sku: 'owl' });
  if (answer.ok) { $('#state').textContent = 'Plush owl was put into the cart.'; await loadCart(); }
});
store.dispatch({ part: { products: await getJSON('/api/shop/products') } });
loadCart();
