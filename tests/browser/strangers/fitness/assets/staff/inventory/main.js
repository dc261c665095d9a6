import { $, escape, html } from "/assets/lib/dom.js";
import { createStock } from "./stock.js";

const stock = createStock();

function render(items) {
  $("#stock").innerHTML = html`${items.map((item) => html`<tr data-sku="${item.sku}"><td>${escape(item.name)}</td>
    <td><input type="number" id="n-${item.sku}" value="${item.count}"></td><td><button id="s-${item.sku}">Save</button></td></tr>`)}`;
}

$("#stock").addEventListener("click", async (event) => {
  const sku = event.target.closest("button") && event.target.closest("tr").dataset.sku;
  if (!sku) return;
  try {
    render(await stock.count(sku, Number($(`#n-${sku}`).value)));
    $("#said").textContent = "The count is saved.";
  } catch {
    $("#said").textContent = "The count could not be saved.";
  }
});

stock.load().then(render);
