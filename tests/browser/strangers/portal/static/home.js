import { html, render } from "./lib/view.js";
import { api } from "./lib/api.js";
import { day } from "./lib/format.js";

const box = document.querySelector("#highlights");

const [shows, fresh] = await Promise.all([api("/shows?day=tonight"), api("/records?genre=jazz")]);

render(box, html`
  <h2>Tonight</h2>
  ${shows.map((s) => html`<div class="card"><img src="/covers/${s.id}.png" width="48" height="48" alt=""> ${s.title}, ${s.venue}</div>`)}
  <h2>New records</h2>
  ${fresh.items.map((r) => html`<div class="card">${r.title} · ${r.artist} · ${day(r.added)}</div>`)}
  <p class="muted">Error 404, the new single of The Undefined, is out on Friday.</p>`);

box.querySelectorAll("img").forEach((img) => {
  img.addEventListener("error", () => { img.src = "/covers/default.png"; }, { once: true });
});
