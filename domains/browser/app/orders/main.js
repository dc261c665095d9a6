import { scheduleChart } from "./chart.js";
import { chooseLanguage, watchRegion } from "./region.js";
import { renewSession } from "./session.js";
import { loadOrders, whenOrdersChange } from "./store.js";

const notice = document.querySelector("#notice");
const region = document.querySelector("#region");

addEventListener("error", () => {
  notice.textContent = "Something went wrong. Please try again later.";
  notice.hidden = false;
});

whenOrdersChange(() => scheduleChart(document.querySelector("#chart")));
watchRegion(region);
await renewSession("en-US");
await loadOrders();

// Links in our letters choose the language: /?language=de-DE
const language = new URLSearchParams(location.search).get("language");
if (language) {
  region.elements.language.value = language;
  await chooseLanguage(language);
}
