import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { length } from "../lib/format.js";
import { load } from "./chunks.js";

const now = document.querySelector("#now");
const state = document.querySelector("#eq-state");

async function showTrack() {
  const track = await api("/player/current");
  render(now, html`<strong>${track.title}</strong> by ${track.artist} <span class="muted">${length(track.seconds)}</span>`);
}

document.querySelector("#open-eq").addEventListener("click", async () => {
  state.className = "spinner";
  state.textContent = "Opening the equalizer";
  const { open } = await load("equalizer");
  open(document.querySelector("#eq"));
  state.className = "muted";
  state.textContent = "";
});

showTrack();
