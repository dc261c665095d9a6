import { api, optional } from '/assets/lib/api.js';

let labels = null;

export async function labelOf(state) {
  labels ??= optional(api.get('/api/orders/labels'), {});
  return (await labels)[state] ?? state;
}

export const ordersOf = ({ offset, limit }) => api.get('/api/orders', { limit, offset });
