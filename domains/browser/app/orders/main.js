import { scheduleChart } from "./chart.js";
import { watchRegion } from "./region.js";
import { renewSession } from "./session.js";
import { loadOrders, whenOrdersChange } from "./store.js";

const notice = document.querySelector("#notice");

addEventListener("error", () => {
  notice.textContent = "Something went wrong. Please try again later.";
  notice.hidden = false;
});

whenOrdersChange(() => scheduleChart(document.querySelector("#chart")));
watchRegion(document.querySelector("#region"));
await renewSession("en-US");
await loadOrders();
console.info("orders are shown");
