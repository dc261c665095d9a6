import { latestInvoice } from "./store.js";

function fillIn(panel) {
  const { number, lines } = latestInvoice();
  panel.textContent = `Invoice ${number}: ${lines.length} articles`;
}

export function scheduleInvoice(panel) {
  requestAnimationFrame(() => fillIn(panel));
}
