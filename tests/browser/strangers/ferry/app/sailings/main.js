import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
import { openSlots } from "./tides.js";

const [slots, { sailings }] = await Promise.all([openSlots("norhavn"), getJSON("/api/sailings")]);
const possible = sailings.filter((sailing) => slots.has(sailing.slot));
put("#count", `${possible.length} sailings`);
put("#list", possible.length
  ? possible.map((s) => h("li", {}, `${s.at} ${s.from} – ${s.to}, ${s.ship}`))
  : h("li", { className: "muted" }, "No sailings today."));
