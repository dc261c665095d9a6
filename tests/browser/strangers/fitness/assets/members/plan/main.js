import { $, $$, escape, html } from "/assets/lib/dom.js";
import { createStore } from "/assets/lib/store.js";
import { followMember, plan, selectWeek } from "./state.js";

const store = createStore(plan);

store.subscribe(({ week, exercises, loading }) => {
  $("#title").textContent = `Exercises of week ${week}`;
  $("#exercises").innerHTML = loading ? "<li>Loading…</li>" : html`${exercises.map((e) => html`<li>${escape(e)}</li>`)}`;
  for (const tab of $$("[data-week]")) tab.setAttribute("aria-pressed", String(Number(tab.dataset.week) === week));
});

for (const tab of $$("[data-week]")) tab.onclick = () => store.dispatch(selectWeek(Number(tab.dataset.week)));

store.dispatch(selectWeek(1));
store.dispatch(followMember());
