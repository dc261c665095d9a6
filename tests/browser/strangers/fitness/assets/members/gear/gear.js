import { $, escape, euro, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";
import { keepBasket, readBasket } from "./basket-store.js";

const lines = readBasket();
const goods = await getJson("/api/gear");

$("#goods").innerHTML = html`${goods.map((g) => html`<li>${escape(g.name)} ${euro(g.price)} <button id="${g.id}">Add</button></li>`)}`;

$("#goods").addEventListener("click", ({ target }) => {
  const article = goods.find((g) => g.id === target.id);
  if (!article) return;
  lines.push({ id: article.id, name: article.name, price: article.price, pieces: 1 });
  keepBasket(lines);
  $("#inside").textContent = `${lines.length} in your basket`;
});
