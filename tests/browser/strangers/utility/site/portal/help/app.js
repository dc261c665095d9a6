import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { createSearch } from "./search.js";

mountShell({ hero: "winter", measure: true });

const search = createSearch();
$("#q").addEventListener("input", async () => {
  const articles = await search($("#q").value.trim());
  if (!articles) return;
  fill("#found", ...(articles.length ? articles.map((title) => h("li", {}, title)) : [h("li", { class: "muted" }, "Nothing was found.")]));
});
