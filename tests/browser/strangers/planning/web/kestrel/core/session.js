import { api } from "./api.js";
import { appStore } from "./app-store.js";

appStore.subscribe((state) => {
  document.documentElement.classList.toggle("is-guest", state.user === null);
});

export async function loadUser() {
  const user = await api.get("/me");
  appStore.set({ user });
}
