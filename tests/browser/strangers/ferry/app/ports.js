import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
let last;
document.querySelector("#find").addEventListener("input", async ({ target }) => {
  last?.abort();
  last = new AbortController();
  try {
    const ports = await getJSON(`/api/ports/search?q=${encodeURIComponent(target.value)}`, { signal: last.signal });
    put("#found", ports.map((p) => h("li", {}, p)));
  } catch (error) { if (error.name !== "AbortError") throw error; }
});
