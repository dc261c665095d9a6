import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { drawMap } from "./map.js";
import { NetworkStatus } from "./network-status.js";

mountShell({ hero: "autumn" });

const config = await api.get("/api/config");
$("#area").textContent = config.area;

const status = new NetworkStatus(config.services.network);
const [incidents, { notices }] = await Promise.all([status.incidents(config.area), api.get("/api/notices")]);

drawMap($("#map"), incidents);
fill("#incidents", incidents.length
  ? h("ul", {}, ...incidents.map((one) => h("li", {}, `${one.district}: ${one.text}`)))
  : "No interruptions in your area. Everything is supplied.");
fill("#notices", ...notices.map((notice) => h("li", {}, `${notice.at} ${notice.text}`)));
