import { $, escape, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";

let running;
let filter = {};

async function search(q) {
  running?.abort();
  running = new AbortController();
  try {
    const names = await getJson(`/api/find?${new URLSearchParams({ q, ...filter })}`, { signal: running.signal });
    $("#found").innerHTML = html`${names.map((name) => html`<li>${escape(name)}</li>`)}`;
    $("#said").textContent = `${names.length} classes`;
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    console.debug("[find] given up:", q);
  }
}

$("#q").addEventListener("input", ({ target }) => search(target.value.trim()));
search("");
filter = await getJson("/api/find/filter");
search($("#q").value.trim());
