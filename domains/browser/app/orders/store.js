import { ask } from "./api.js";

const kept = new Map();
const listeners = [];

export function whenOrdersChange(listener) {
  listeners.push(listener);
}

export function orders() {
  return kept.get("orders");
}

/** Whose orders, then which; kept for whoever shows them. */
export async function loadOrders() {
  const profile = await ask("/api/profile");
  const customer = profile?.customer.id;
  kept.set("orders", await ask(`/api/orders?customer=${customer}`));
  listeners.forEach((listener) => listener());
}
