import { office, supplier } from './client.js';

export const CLOSED = Object.freeze({ open: false, prices: {} });

/** The pumps as the page shows them. */
export async function pumps() {
  const [stock, quote] = await Promise.allSettled([office.get('/stock'), supplier.get('/prices')]);
  if (quote.status !== 'fulfilled') return { ...CLOSED, stock: stock.value };
  const { open, ...prices } = quote.value;
  return { open, prices, stock: stock.value };
}

export async function brand() {
  const answer = await fetch(supplier.base + '/brand');
  return answer.ok ? (await answer.json()).brand : '';
}
