import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { monthsOf } from "./series.js";

mountShell({ hero: "winter" });

const { points } = await api.get("/api/supply-points");
const select = $("#supply");
fill(select, ...points.map((point) => h("option", { value: point.id }, `${point.kind} (meter ${point.meter.id})`)));

async function draw() {
  fill("#chart", "…");
  const months = await monthsOf(select.value);
  if (!months.length) return fill("#chart", "No consumption was measured for this meter yet.");
  const most = Math.max(...months);
  fill("#chart", ...months.map((value) => h("div", { style: `background:#9ccfc9;width:${(value / most) * 100}%` }, `${value} kWh`)));
}

select.addEventListener("change", draw);
draw();
