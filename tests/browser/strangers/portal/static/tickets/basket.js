import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { price } from "../lib/format.js";

const box = document.querySelector("#basket");

const sum = (lines) => lines.reduce((total, line) => total + line.quantity * Number(line.unitPrice), 0);

async function show() {
  const [basket, discounts] = await Promise.all([api("/basket"), api("/discounts")]);
  const subtotal = sum(basket.lines);
  const off = discounts.percent ? (subtotal * discounts.percent) / 100 : 0;
  render(box, html`
    ${basket.lines.map((line) => html`
      <div class="card">${line.quantity} × ${line.title} <b>${price(line.quantity * Number(line.unitPrice))}</b></div>`)}
    <p>Discount: ${price(off)}</p>
    <p>Total: <b>${price(subtotal - off)}</b></p>`);
}

show().catch((error) => {
  console.error(error);
  render(box, html`<p class="error">Your basket could not be shown.</p>`);
});
