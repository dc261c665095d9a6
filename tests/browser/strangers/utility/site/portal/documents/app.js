import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { thumbnail } from "./thumbnail.js";

mountShell({ measure: true, hero: "winter" });

const { documents } = await api.get("/api/documents");
fill("#list", ...documents.map((one) => h("li", {}, thumbnail(one), " ",
  h("button", { type: "button", id: one.id, onclick: () => open(one) }, one.title), ` ${one.pages} p.`)));

async function open({ id, title }) {
  const { text } = await api.get(`/api/documents/${id}`);
  fill("#view", h("h2", {}, title), h("p", {}, text));
}
