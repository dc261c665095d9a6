import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Quality } from "./quality.js";

mountShell({ hero: "spring" });

async function show(zone) {
  const quality = new Quality(await api.get(`/api/water/quality?zone=${zone}`));
  const rows = [...quality].map((one) => h("tr", {}, h("td", {}, one.label), h("td", {}, `${one.value} ${one.unit}`)));
  fill("#values", rows.length ? h("table", {}, ...rows) : "No values have been published for this zone.");
}

const { zones } = await api.get("/api/water/zones");
fill("#zone", ...zones.map((zone) => h("option", { value: zone.id }, zone.name)));
$("#zone").addEventListener("change", () => show($("#zone").value));
show(zones[0].id);
