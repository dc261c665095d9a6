import { escape, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";
import { background } from "./crunch.js";

const out = document.querySelector("#report");

function table(rows) {
  return html`<table><tr><th>Studio</th><th>Visits</th><th>Best week</th></tr>
    ${rows.map((row) => html`<tr><td>${escape(row.name)}</td><td>${row.visits}</td><td>${row.best}</td></tr>`)}</table>`;
}

document.querySelector("#run").addEventListener("click", async () => {
  out.textContent = "Calculating…";
  const visits = await getJson("/api/reports/visits");
  const worker = background();
  worker.onmessage = ({ data }) => {
    out.innerHTML = table(data);
    worker.terminate();
  };
  worker.postMessage(visits);
});
