import { api, optional } from '/assets/lib/api.js';
import { $, h } from '/assets/lib/dom.js';
import { createStore } from './store.js';
import { lotView } from './desk.js';

const store = createStore({ lot: null, message: '' });
const client = `desk-${Math.random().toString(16).slice(2, 8)}`;

async function refresh() {
  const lot = await optional(api.get('/api/lots/81'));
  if (lot) store.set({ lot });
}

async function bid(amount) {
  store.get().message = 'Sending your bid …';
  try {
    const answer = await api.post('/api/lots/81/bids', { amount, client });
    await refresh();
    store.set({ message: `Your bid of £${answer.amount} stands.` });
  } catch (error) {
    store.set({ message: error.status === 409 ? 'Somebody was quicker.' : 'The bid was not taken.' });
  }
}

function pictures(root) {
  for (const number of [1, 2, 3]) {
    root.append(h('img', { src: `/api/lots/81/pictures/${number}`, alt: '', width: 160, onerror: (event) => event.target.remove() }));
  }
}

store.watch(lotView($('#lot'), { onBid: bid }));
pictures($('#pictures'));
await refresh();
const timer = setInterval(refresh, 1200);
addEventListener('pagehide', () => clearInterval(timer));
