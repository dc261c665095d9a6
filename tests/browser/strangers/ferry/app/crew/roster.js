import { createStore } from "/lib/store.js";
import { h, put } from "/lib/dom.js";

const store = createStore({ ships: [], duties: null });
store.subscribe(({ ships, duties }) => {
  put("#ship", ships.join(" · "));
  if (duties) put("#duties", duties.length ? duties.map((d) => h("li", {}, d.day + " " + d.ship)) : "You have no duties this week.");
});

fetch("/api/crew/ships").then((r) => r.json()).then((ships) => store.set({ ships }));
fetch("/api/crew/roster?week=24")
  .then((r) => (r.ok ? r.json() : Promise.reject(r.status)))
  .then((duties) => store.set({ duties }))
  .catch(() => store.set({ duties: [] }));
