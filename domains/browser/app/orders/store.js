import { ask } from "./api.js";

const kept = new Map();
const listeners = [];

export function whenOrdersChange(listener) {
  listeners.push(listener);
}

export function orders() {
  return kept.get("orders");
}

export function latestInvoice() {
  return kept.get("invoice");
}

/** Whose orders, which, and the last invoice about them; kept for whoever shows them. */
export async function loadOrders() {
  const profile = await ask("/api/profile");
  const customer = profile?.customer.id;
  const found = await ask(`/api/orders?customer=${customer}`);
  const number = found?.latest.invoice;
  kept.set("orders", found);
  kept.set("invoice", await ask(`/api/invoices?number=${number}`));
  listeners.forEach((listener) => listener());
}
