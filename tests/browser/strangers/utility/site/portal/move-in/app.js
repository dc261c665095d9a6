import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { signature } from "./signature.js";

mountShell({ measure: true, hero: "winter" });

signature($("#sign"), () => ($("#send").disabled = false));

const move = await api.get("/api/moves/draft");
fill("#summary", h("p", {}, `${move.tenant} moves to ${move.to} on ${move.on}.`), h("p", {}, `Meter there: ${move.meter}`));
