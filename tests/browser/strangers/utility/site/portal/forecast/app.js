import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { offload } from "/shared/offload.js";
import { mountShell } from "/shared/shell.js";
import { project } from "./model.js";

mountShell({ hero: "winter", measure: true });

const profile = api.get("/api/load-profile");
profile.then(({ hours }) => ($("#basis").textContent = `${hours.length} hours were measured.`));

$("#run").addEventListener("click", async () => {
  fill("#result", "Calculating your forecast …");
  $("#run").disabled = true;
  const { hours } = await profile;
  const { year, peak } = await offload(project, hours);
  fill("#result", h("p", {}, `${year} kWh next year`), h("p", {}, `${peak.toFixed(1)} kWh on the day of most`));
  $("#run").disabled = false;
});
