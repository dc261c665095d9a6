import { effect } from "/lib/reactive.js";
import { h, pick } from "/lib/kit.js";
import { busy, filters, lookUp, wines } from "/shop/availability/model.js";

effect(() => {
  lookUp(filters()).finally(() => setTimeout(() => busy.set(false), 30));
});

effect(() => {
  pick("#state").textContent = busy() ? "Looking in the cellar…" : "";
});

effect(() => {
  pick("#wines").replaceChildren(...wines().map((w) =>
    h("li", {}, `${w.name} ${w.vintage}: ${w.left} left `, h("input", { type: "number", value: "0" }))));
});

for (const colour of ["white", "red"]) {
  pick(`#${colour}`).addEventListener("click", () => filters.set({ colour, page: 1 }));
}
