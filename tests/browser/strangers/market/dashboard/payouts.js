import { getJson, wait } from '/lib/http.js';
import { $, el, money } from '/lib/ui.js';
import { createStore } from '/lib/store.js';
import { count } from '/lib/metrics.js';

const store = createStore({ payouts: [], chosen: null, detail: null });
let turn = 0;

async function choose(place) {
  const mine = ++turn;
  store.set({ chosen: place, detail: null });
  const detail = await getJson(`/api/payouts/detail?day=${place}`);
  if (mine === turn) store.set({ detail });
}

store.watch(({ payouts, chosen, detail }) => {
  $('#payouts').replaceChildren(...payouts.map((one, place) => el('li', {},
    el('button', { id: `payout-${place}`, onclick: () => choose(place) }, `${one.day}: ${money(one.cents)}`))));
  $('#detail').textContent = detail ? `${payouts[chosen].day}: ${detail.orders} orders` : chosen === null ? '' : 'Loading…';
});

let seen = '';
for (let round = 0; round < 30; round++) {
  const { payouts } = await getJson('/api/payouts', { cache: 'no-cache' });
  const now = JSON.stringify(payouts);
  if (now !== seen) store.set({ payouts });
  seen = now;
  count('payouts.round', round);
  await wait(1000);
}
