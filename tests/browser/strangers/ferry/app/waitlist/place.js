import { getJSON } from "/lib/http.js";
import { signal, effect } from "/lib/reactive.js";

const state = signal("Refreshing…");
effect(() => { document.querySelector("#place").textContent = state.value; });

async function poll() {
  state.value = "Refreshing…";
  const { place, of, nextPollMs } = await getJSON("/api/waitlist/88");
  state.value = `You are number ${place} of ${of}.`;
  setTimeout(poll, nextPollMs);
}
poll();
