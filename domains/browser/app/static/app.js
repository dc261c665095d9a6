import { countVisit, getJson } from "./api.js";
import "./panels.js";
import "./user-list.js";

/** Sorts a made-up price list, on the page's one thread: long enough to be noticed. */
function preparePrices() {
  let prices = Array.from({ length: 400000 }, (_, i) => (i * 7919) % 400009);
  const until = performance.now() + 80;
  while (performance.now() < until)
    prices = prices.map((price) => price + 1).sort((a, b) => a - b);
  return prices.length;
}

async function showWhoIsHere() {
  const { user, locale } = await getJson("/api/session");
  document.querySelector("#who").textContent = user.name;
  localStorage.setItem("dashboard.locale", locale);
  sessionStorage.setItem("dashboard.opened", "overview");
}

function useTheme() {
  const theme = localStorage.getItem("dashboard.theme") ?? "light";
  localStorage.setItem("dashboard.theme", theme);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    console.debug("motion is on");
}

async function start() {
  performance.mark("app-start");
  console.info("dashboard 2.3.0 starts");
  useTheme();
  await showWhoIsHere();
  const parts = [...document.querySelectorAll("stats-panel, user-list, activity-feed, report-chart")];
  const loaded = parts.map((part) => part.load());
  console.log("%d parts are loading, %d prices prepared", parts.length, preparePrices());
  await Promise.all(loaded);
  await countVisit();
  performance.mark("app-ready");
  performance.measure("app", "app-start", "app-ready");
  console.info("dashboard is ready");
}

console.warn("dashboard.legacyPrices is deprecated and goes away in version 3");
start();
