import { createStore } from "/lib/store.js";
import { h, pick, table } from "/lib/kit.js";
import { initial, reducer } from "/stock/reducer.js";
import { loadRegions, loadStock } from "/stock/actions.js";

const store = createStore(reducer, initial);

store.subscribe(({ regions, wines, loaded }) => {
  pick("#regions").textContent = regions.map((r) => r.name).join(", ");
  if (!loaded) return;
  pick("#count").textContent = wines.reduce((sum, w) => sum + w.bottles, 0);
  pick("#rows").replaceChildren(wines.length
    ? table(["Wine", "Vintage", "Bottles"], wines.map((w) => [w.name, w.vintage, w.bottles]))
    : h("p", { className: "empty" }, "Nothing in stock."));
});

loadRegions(store.dispatch);
loadStock(store.dispatch);
