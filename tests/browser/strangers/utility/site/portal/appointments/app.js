import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Scheduling } from "./scheduling.js";

mountShell({ hero: "winter" });

const { services, area } = await api.get("/api/config");
const scheduling = new Scheduling(services.scheduling, `NW-${area}`);

fill("#service", ...(await scheduling.services()).map((name) => h("option", {}, name)));

$("#find").addEventListener("click", async () => {
  fill("#slots", "Looking for dates …");
  const slots = await scheduling.slots($("#service").value);
  if (!slots.length) return fill("#slots", "There are no free dates in the next 14 days.");
  fill("#slots", h("ul", {}, ...slots.map((slot) => h("li", {}, `${slot.day}, ${slot.from} to ${slot.to}`))));
});
