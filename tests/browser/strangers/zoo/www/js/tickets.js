import { createStore } from '/lib/store.js';
import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const store = createStore((s, a) => {
  switch (a.type) {
    case 'prices': return { ...s, prices: a.prices };
    case 'set': return { ...s, adults: a.value };
    case 'more': return { ...s, adults: s.adults + 1 };
    default: return s;
  }
}, { adults: 0, prices: null });
store.subscribe((s) => {
  $('#count').textContent = s.adults;
  $('#sum').textContent = s.prices ? (s.adults * s.prices.adult).toFixed(2) + ' EUR' : '…';
});
$('#adults').addEventListener('input', (e) => store.dispatch({ type: 'set', value: e.target.value }));
$('#more').addEventListener('click', () => store.dispatch({ type: 'more' }));
store.dispatch({ type: 'prices', prices: await getJSON('/api/tickets/prices') });
