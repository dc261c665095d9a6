import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { fitBars } from "./bars.js";

mountShell({ hero: "winter" });

const [{ stations }, summary] = await Promise.all([api.get("/api/analytics/stations"), api.get("/api/analytics/summary")]);
$("#summary").textContent = `${summary.stations} stations, ${summary.total} kWh, ${summary.losses} % losses`;
fill($("#stations").tBodies[0], ...stations.map((station) => h("tr", { "data-kwh": station.kwh },
  h("td", {}, station.name), h("td", {}, station.district), h("td", {}, String(station.kwh)), h("td", {}))));

$("#compact").addEventListener("click", () => {
  fitBars($("#stations"));
  $("#state").textContent = "Bars are shown.";
});
