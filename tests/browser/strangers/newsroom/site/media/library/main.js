import { h, $, fill } from '/lib/dom.js';
import { createStore } from '/lib/store.js';
import { PictureStore } from './store.js';

const pictures = new PictureStore('region');
const state = createStore({ collections: [], assets: null });

state.subscribe(({ collections, assets }) => {
  fill('#collections', collections.map((one) => h('button', { onclick: () => choose(one.id) }, one.name)));
  if (assets === null) return;
  $('#count').textContent = assets.length ? `${assets.length} pictures` : 'This collection has no pictures yet.';
  fill('#assets', assets.map((one) => h('div', { className: 'card' }, one.name)));
});
async function choose(id) {
  state.set({ assets: await pictures.assets(id).catch(() => []) });
}
const collections = await pictures.collections();
state.set({ collections });
choose(collections[0].id);
