import { api } from '/lib/http.js';

const SERVICE = 'http://localhost:@@FACETS@@';
const locale = document.documentElement.lang || 'en';

export async function loadFacets(store) {
  try {
    const { facets } = await api('/facets?scope=books', {
      base: SERVICE,
      headers: { 'X-Shop-Locale': locale },
    });
    store.set({ facets });
  } catch (err) {
    console.warn('facets', err.message);
    store.set({ facetError: true });
  }
}

export function renderFacets({ facets, facetError }) {
  const root = document.querySelector('#facets');
  if (facetError) {
    root.innerHTML = '<p class="error">Filters could not be loaded.</p>';
  } else if (facets) {
    root.innerHTML = facets.map((f) => `<label><input type="checkbox"> ${f.name} (${f.count})</label>`).join('');
  }
}
