import { getJson, sendJson } from '/lib/http.js';

const orEmpty = (work) => work.catch(() => ({}));

export async function prepare() {
  const [basket, address] = await Promise.all([orEmpty(getJson('/api/checkout/basket')), orEmpty(getJson('/api/checkout/address'))]);
  return { basket, address };
}

export async function toPayment({ basket, address }) {
  const quote = await orEmpty(sendJson('POST', '/api/checkout/quote', { basket: basket.id, address: address.id, weight: basket.weight }));
  const { methods = [] } = await orEmpty(getJson(`/api/checkout/${quote.id}/methods`));
  return { quote, methods };
}
