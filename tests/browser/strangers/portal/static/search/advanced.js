import { html, render } from "../lib/view.js";
import { api, ApiError } from "../lib/api.js";

const field = document.querySelector("#q");
const count = document.querySelector("#count");
const results = document.querySelector("#results");
let pending = null;

// The exact match is shown on top, if there is one.
async function exact(q, signal) {
  try {
    return await api(`/search/exact/${encodeURIComponent(q)}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function search() {
  const q = field.value.trim();
  if (q.length < 2) return;
  pending?.abort();
  pending = new AbortController();
  const { signal } = pending;
  try {
    const [best, found] = await Promise.all([exact(q, signal), api(`/search?q=${encodeURIComponent(q)}`, { signal })]);
    count.textContent = `${found.hits.length} results for “${q}”`;
    render(results, html`
      ${best && html`<div class="card">★ ${best.title}</div>`}
      ${found.hits.map((hit) => html`<div class="card"><b>${hit.title}</b> <span class="muted">${hit.kind}</span></div>`)}`);
  } catch (error) {
    if (error.name !== "AbortError") count.textContent = "Search is not available at the moment.";
  }
}

console.warn("[search] `advanced` is deprecated and will be merged into /search in spring");
field.addEventListener("input", search);
