import { api, optional } from '/assets/lib/api.js';

const asked = new Map();

export function whereIs(driver) {
  if (!asked.has(driver)) asked.set(driver, optional(api.get(`/api/vans/${driver}`)));
  return asked.get(driver);
}

export async function locate(deliveries) {
  await Promise.all(deliveries.map(async (delivery) => {
    const van = await whereIs(delivery.driver);
    if (!van) console.warn(`[vans] no position of ${delivery.driver}`);
    delivery.near = van?.near ?? null;
  }));
}
