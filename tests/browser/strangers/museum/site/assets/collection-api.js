import { get } from './lib/http.js';

const BASE = '/museum/api/collection';

export async function search({ q, onView }, signal) {
  const query = new URLSearchParams({ q });
  if (onView) query.set('onView', '1');
  const { items = [], total = 0 } = await get(`${BASE}?${query}`, { signal });
  return { items, total };
}

export const facets = () => get(`${BASE}/facets`);
