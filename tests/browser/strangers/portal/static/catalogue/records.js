import { html, render, on } from "../lib/view.js";
import { state, subscribe, load } from "./records-store.js";

const GENRES = ["all", "jazz", "ambient", "folk"];
const list = document.querySelector("#records");
const bar = document.querySelector("#genres");

function draw() {
  render(bar, html`${GENRES.map((g) => html`<button data-genre="${g}" aria-pressed="${g === state.genre}">${g}</button> `)}`);
  if (state.loading) return render(list, html`<p class="spinner">Loading records…</p>`);
  if (state.error) return render(list, html`<p class="error">${state.error}</p>`);
  render(list, html`${state.items.map((r) => html`<div class="card"><b>${r.title}</b><br>${r.artist} · ${r.year}</div>`)}`);
}

function applyAddress() {
  const genre = new URLSearchParams(location.search).get("genre");
  if (genre) load(genre);
}

subscribe(draw);
on(bar, "click", "[data-genre]", (event, button) => load(button.dataset.genre));
load("all");
applyAddress();
draw();
