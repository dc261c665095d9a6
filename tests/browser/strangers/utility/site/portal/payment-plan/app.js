import { api } from "/shared/api.js";
import { $, euro, fill, h } from "/shared/dom.js";
import { gather } from "/shared/gather.js";
import { mountShell } from "/shared/shell.js";
import { Plan } from "./plan.js";

mountShell({ measure: true });

const ACCOUNT = "/api/accounts/C-4471";
const loaded = gather({
  balance: () => api.get(`${ACCOUNT}/balance`),
  terms: () => api.get(`${ACCOUNT}/terms`),
  calendar: () => api.get("/api/calendar/bank-days"),
});

loaded.then(({ balance }) => ($("#open").textContent = euro(balance.open)));

$("#show").addEventListener("click", async () => {
  const { balance, terms, calendar } = await loaded;
  const plan = new Plan({ open: balance.open, interest: terms.interest, fee: terms.fee }, calendar.days ?? []);
  const rows = plan.rows(Number($("#count").value));
  fill("#plan", ...rows.map((row) => h("tr", {}, h("td", {}, String(row.number)), h("td", {}, row.day), h("td", {}, euro(row.rate)))));
  $("#sum").textContent = `Together ${euro(plan.total)}`;
  $("#agree").disabled = !plan.sound;
});
