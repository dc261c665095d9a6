import { $ } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

async function offline() {
  await navigator.serviceWorker.register("/members/live/sw.js");
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

async function show() {
  const places = await getJson("/api/live/places");
  $("#lesson").textContent = places.class;
  $("#free").textContent = `${places.free} bikes free`;
}

$("#take").addEventListener("click", async () => {
  const { seat } = await sendJson("POST", "/api/live/places", {});
  $("#seat").textContent = `You have bike ${seat}.`;
  await show();
});

await offline();
await show();
$("#take").disabled = false;
