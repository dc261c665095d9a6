import { h, pick, table } from "/lib/kit.js";

export function showClimate({ temp, humidity }) {
  pick("#climate").textContent = `${temp} °C, ${humidity} % humidity`;
}

export function showBarrels(barrels) {
  pick("#total").textContent = `${barrels.reduce((sum, b) => sum + b.litres, 0)} litres`;
  const place = pick("#barrels");
  place.className = "";
  place.replaceChildren(barrels.length
    ? table(["Barrel", "Wine", "Litres"], barrels.map((b) => [b.id, b.wine, b.litres.toFixed(0)]))
    : h("p", { className: "empty" }, "This cellar is empty. Add the first barrel."));
}
