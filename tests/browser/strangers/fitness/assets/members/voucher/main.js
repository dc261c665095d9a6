import { $, escape, euro, html } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

const cart = await getJson("/api/cart");
$("#lines").innerHTML = html`${cart.lines.map((l) => html`<li>${escape(l.what)} ${euro(l.sum)}</li>`)}`;
$("#total").textContent = euro(cart.total);

document.forms.voucher.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const answer = await sendJson("POST", "/api/voucher", { code: event.target.code.value.trim().toUpperCase() });
    $("#total").textContent = euro(answer.total);
    $("#said").textContent = `${euro(answer.off)} off`;
  } catch (error) {
    if (error.status !== 422) throw error;
    console.warn("[voucher]", error.message);
    $("#said").textContent = error.detail.message;
  }
});
