import { http } from '/lib/http.js';

export function connect(store) {
  async function load({ desk }) {
    const { readers, rows } = await http.get(`/api/analytics/now?desk=${desk}`);
    store.set({ readers, rows, loadedAt: Date.now(), state: 'loaded' });
  }
  store.subscribe((state) => { if (state.state !== 'waiting') load(state); });
  return { refresh: () => load(store.get()) };
}
