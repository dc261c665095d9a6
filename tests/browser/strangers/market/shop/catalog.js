import { getJson } from '/lib/http.js';

export const CATEGORIES = { rugs: 'Rugs', lamps: 'Lamps', chairs: 'Chairs' };

export class Catalog {
  constructor(store) {
    this.store = store;
  }
  async choose(category) {
    this.store.set({ category, busy: true });
    const { items } = await getJson(`/api/catalog?category=${category}`);
    this.store.set({ items, busy: false });
  }
}
