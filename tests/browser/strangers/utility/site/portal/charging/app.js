import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { offer } from "./partner.js";

mountShell({ hero: "winter", measure: true });

offer($("#partner"));
const { sessions } = await api.get("/api/charging/sessions", { retry: 3 });
fill("#sessions", h("ul", {}, ...sessions.map((one) => h("li", {}, `${one.on}: ${one.kwh} kWh`))),
  h("p", {}, `Together ${sessions.reduce((sum, one) => sum + one.kwh, 0).toFixed(1)} kWh`));
