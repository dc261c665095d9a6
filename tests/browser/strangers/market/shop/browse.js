import { getJson } from '/lib/http.js';
import { createStore } from '/lib/store.js';
import { $, el, list, money } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { Catalog, CATEGORIES } from './catalog.js';

const store = createStore({ category: 'rugs', items: [], busy: false });
const catalog = new Catalog(store);

store.watch(({ category, items, busy }) => {
  $('#heading').textContent = CATEGORIES[category];
  $('#busy').textContent = busy ? 'Loading…' : '';
  list($('#grid'), items, (item) => `${item.name}: ${money(item.cents)}`, 'Nothing here');
});

for (const [key, name] of Object.entries(CATEGORIES)) {
  $('#chips').append(el('button', { id: `chip-${key}`, onclick: () => { count('chip'); catalog.choose(key); } }, name));
}

catalog.choose(store.get().category);
getJson('/api/preferences').then(({ category }) => {
  if (category !== store.get().category) catalog.choose(category);
});
