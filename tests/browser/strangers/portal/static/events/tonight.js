import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { watchSeats } from "./seats.js";

const box = document.querySelector("#tonight");
const state = { shows: [], problem: "" };

function setFree(id, free) {
  const show = state.shows.find((s) => s.id === id);
  show.free = free;
  draw();
}

function draw() {
  render(box, html`
    ${state.problem && html`<p class="error">${state.problem}</p>`}
    ${state.shows.map((show) => html`
      <article class="card"><h3>${show.title}</h3>
        <p>${show.venue}, ${show.time} · <b>${show.free ?? "…"}</b> seats left</p></article>`)}`);
  for (const show of state.shows) watchSeats(show, setFree);
}

addEventListener("unhandledrejection", (event) => {
  state.problem = `Seats are not up to date: ${event.reason.message}`;
  const note = box.querySelector(".error") || box.insertBefore(document.createElement("p"), box.firstChild);
  note.className = "error";
  note.textContent = state.problem;
});

state.shows = await api("/shows?day=tonight");
draw();
