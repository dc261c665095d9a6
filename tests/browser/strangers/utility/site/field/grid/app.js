import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Tips } from "./tips.js";

mountShell({ hero: "winter" });

const tips = new Tips($("#overlay"));

function row(feeder) {
  const item = h("li", { id: feeder.id }, `${feeder.id} ${feeder.load} %`);
  tips.attach(item, { title: feeder.id, body: feeder.load > 80 ? "near its limit" : "as planned" });
  return item;
}

async function refresh() {
  const { hertz, feeders } = await api.get("/api/grid/feeders");
  $("#hertz").textContent = hertz.toFixed(3);
  fill("#feeders", ...feeders.map(row));
  setTimeout(refresh, 500);
}

refresh();
