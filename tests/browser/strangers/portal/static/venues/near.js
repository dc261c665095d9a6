import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { nearby } from "./geo.js";

const box = document.querySelector("#venues");

async function show() {
  const place = await api("/place");
  let venues = [];
  try {
    venues = (await nearby(place)).venues;
  } catch (error) {
    console.error("nearby:", error.message);
  }
  const [closest] = venues;
  render(box, html`
    <p>Closest to ${place.city}: <b>${closest.name}</b>, ${closest.km} km</p>
    ${venues.map((v) => html`<div class="card">${v.name} · ${v.km} km</div>`)}`);
}

show().catch((error) => {
  console.error(error);
  render(box, html`<p class="error">We could not find out where you are.</p>`);
});
