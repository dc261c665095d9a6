import { createStore } from "./store.js";
import { loadUser } from "./session.js";

export const appStore = createStore({ user: null, board: null });

export async function ready() {
  if (appStore.get().user === null) await loadUser();
  return appStore.get();
}
