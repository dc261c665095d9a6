import { api } from "../lib/api.js";

export const state = { genre: "all", loading: false, items: [], error: null };
const listeners = new Set();
let controller = null;

export const subscribe = (fn) => listeners.add(fn);
const emit = () => listeners.forEach((fn) => fn(state));

export async function load(genre) {
  state.genre = genre;
  controller?.abort();
  if (state.loading) return;
  state.loading = true;
  state.error = null;
  emit();

  controller = new AbortController();
  try {
    const page = await api(`/records?genre=${encodeURIComponent(genre)}`, { signal: controller.signal });
    state.items = page.items;
  } catch (error) {
    if (error.name === "AbortError") return;
    state.error = error.message;
  }
  state.loading = false;
  emit();
}
