import { $, $$, escape, euro, html } from "/assets/lib/dom.js";
import { Catalogue } from "./catalogue.js";

const NAMES = { clothing: "Clothing", nutrition: "Nutrition", equipment: "Equipment" };
const catalogue = new Catalogue();

catalogue.addEventListener("items", ({ detail }) => {
  $("#category").textContent = NAMES[detail.category];
  $("#items").innerHTML = html`${detail.items.map((item) => html`<li>${escape(item.name)} <b>${euro(item.price)}</b></li>`)}`;
});

for (const button of $$("[data-category]")) {
  button.addEventListener("click", () => catalogue.open(button.dataset.category));
}

catalogue.notes();
catalogue.open("clothing");
