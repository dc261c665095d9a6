import { http } from '/lib/http.js';
import { createStore } from '/lib/store.js';

export const basket = createStore({ lines: [], charges: {}, ready: false });

const chargesFor = (route) => http.get(`/api/taxes?route=${route}`).catch(() => ({}));

export async function loadBasket() {
  const { id, route, lines } = await http.get('/api/basket');
  const charges = await chargesFor(route);
  basket.set({ id, lines, charges, ready: true });
}
