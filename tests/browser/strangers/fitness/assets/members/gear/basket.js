import { $, escape, euro, html } from "/assets/lib/dom.js";
import { readBasket } from "./basket-store.js";

const lines = readBasket();

$("#basket").innerHTML = lines.length
  ? html`${lines.map((l) => html`<li>${l.pieces} x ${escape(l.name)} ${euro(l.price)}</li>`)}`
  : `<li class="muted">Your basket is empty.</li>`;
$("#order").disabled = !lines.length;
