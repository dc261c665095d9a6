import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { createStore } from "/shared/store.js";
import { mountShell } from "/shared/shell.js";
import { LiveLink } from "./live-link.js";

mountShell({ hero: "winter", measure: true });

const store = createStore({ devices: [], states: {} });
const draw = () => fill("#devices", ...store.state.devices.map((device) =>
  h("div", { class: "card", id: device.id }, h("b", {}, device.name), " ",
    h("span", {}, store.state.states[device.id] ?? "waiting for its state …"))));
store.watch((state) => state.devices, draw);
store.watch((state) => state.states, draw);

const link = new LiveLink();
link.addEventListener("up", () => ($("#link").textContent = "Connected."));
link.addEventListener("state", ({ detail }) => store.set({ states: { ...store.state.states, [detail.id]: detail.text } }));

store.set({ devices: (await api.get("/api/devices")).devices });
link.open();
api.get("/api/devices/tips").then(({ tips }) => ($("#tip").textContent = tips[0]));
