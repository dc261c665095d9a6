import { getJson, h, pick } from "/lib/kit.js";
import { shelf } from "/notebook/shelf.js";

function render() {
  const notes = shelf.get("notes", []);
  pick("#notes").replaceChildren(...(notes.length
    ? notes.map((n) => h("li", {}, `${n.wine}: ${n.words}`))
    : [h("li", { className: "empty" }, "No notes yet.")]));
}

async function keepLabels(scans) {
  for (const { id } of scans) {
    if (!shelf.get(`scan:${id}`)) shelf.put(`scan:${id}`, await getJson(`/api/scans/${id}`));
  }
}

pick("#entry").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const id = form.wine.value;
  const note = { wine: form.wine.selectedOptions[0].text, words: form.words.value, label: shelf.get(`scan:${id}`)?.dataUrl };
  shelf.put("notes", [...shelf.get("notes", []), note]);
  form.reset();
  render();
});

const { scans } = await getJson("/api/scans");
pick("#wine").append(...scans.map((s) => h("option", { value: s.id }, s.wine)));
render();
await keepLabels(scans);
pick("#ready").textContent = "Labels are ready for work without network.";
