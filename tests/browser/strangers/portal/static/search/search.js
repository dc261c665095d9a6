import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";

const field = document.querySelector("#q");
const count = document.querySelector("#count");
const results = document.querySelector("#results");

function show({ hits }) {
  count.textContent = `${hits.length} results`;
  render(results, html`${hits.map((hit) => html`<div class="card"><b>${hit.title}</b> <span class="muted">${hit.kind}</span></div>`)}`);
}

async function search() {
  const q = field.value.trim();
  if (q.length < 2) return;
  const found = await api(`/search?q=${encodeURIComponent(q)}`);
  show(found);
}

field.addEventListener("input", search);
