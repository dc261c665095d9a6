import { signal } from "/lib/reactive.js";
import { getJson } from "/lib/kit.js";

export const filters = signal({ colour: "red", page: 1 });
export const wines = signal([]);
export const busy = signal(false);

export async function lookUp(wanted) {
  busy.set(true);
  const answer = await getJson(`/api/shop/availability?${new URLSearchParams(wanted)}`);
  filters.set({ ...wanted, ...answer.filters });
  wines.set(answer.wines);
}
