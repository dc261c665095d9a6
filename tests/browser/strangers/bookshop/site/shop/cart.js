import { h, mount } from '/lib/petal.js';
import { createStore } from '/lib/store.js';
import { api, money } from '/lib/http.js';

const offers = [{ id: 104, title: 'The Harbour Clerk', price: 999 }, { id: 106, title: 'Nine Kinds of Snow', price: 1725 }];
const store = createStore({ cart: null, busy: false });

async function refresh() {
  store.set({ cart: await api('/api/cart') });
}

async function add(book) {
  store.set({ busy: true });
  try {
    await api('/api/cart/items', { method: 'POST', json: { bookId: book.id } });
    await refresh();
  } finally {
    store.set({ busy: false });
  }
}

const Lines = ({ cart }) => cart.items.length
  ? h('ul', null, cart.items.map((i) => h('li', null, `${i.title}, ${money(i.price)}`)))
  : h('p', { className: 'muted' }, 'Your cart is empty.');

const View = ({ cart, busy }) => h('div', null,
  h('h1', null, `Cart (${cart ? cart.count : 0})`),
  cart ? h(Lines, { cart }) : h('p', null, 'Loading...'),
  h('h2', null, 'You may also like'),
  offers.map((b) => h('p', null, `${b.title}, ${money(b.price)} `,
    h('button', { id: `add-${b.id}`, disabled: busy, onClick: () => add(b) }, 'Add to cart'))));

mount(document.querySelector('#app'), View, store);
refresh();
