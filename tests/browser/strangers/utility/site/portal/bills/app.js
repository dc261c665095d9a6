import { $, euro, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { graph } from "./graph.js";

mountShell({ measure: true, hero: "winter" });

async function head() {
  const { account } = await graph("AccountHead");
  fill("#account", `Account ${account.number}: ${euro(account.open)} to pay until ${account.due}`);
}

async function bills() {
  const { account } = await graph("BillList", { first: 20 });
  const nodes = account?.bills?.nodes ?? [];
  fill("#bills", nodes.length
    ? h("ul", {}, ...nodes.map((bill) => h("li", {}, `${bill.period}: ${euro(bill.total)}`)))
    : "You have no bills yet.");
}

async function hint() {
  const { hints } = await graph("Hints");
  $("#hint").textContent = hints[0]?.text ?? "";
}

Promise.all([head(), bills(), hint()]);
