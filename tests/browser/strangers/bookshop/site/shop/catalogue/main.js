import { api, money } from '/lib/http.js';
import { createStore } from '/lib/store.js';
import { loadFacets, renderFacets } from './facets.js';

const store = createStore({ books: null, facets: null, facetError: false });

function renderBooks({ books }) {
  const root = document.querySelector('#books');
  if (!books) return;
  root.replaceChildren(...books.map((b) => {
    const card = document.createElement('article');
    card.className = 'card';
    card.textContent = `${b.title} by ${b.author}, ${money(b.price)}`;
    return card;
  }));
}

store.subscribe(renderBooks);
store.subscribe(renderFacets);

api('/api/books').then(({ books }) => store.set({ books }));
loadFacets(store);
