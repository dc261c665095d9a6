import { $ } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Ticker } from "./ticker.js";

mountShell({ hero: "winter", measure: true });
console.warn("news: the old layout will be removed in 2026");

new Ticker($("#ticker")).tick();

const shown = (text) => ($("#place").textContent = `News for ${text}`);
shown("all districts");
navigator.geolocation?.getCurrentPosition(() => shown("your district"), (error) => console.info(`news: ${error.message}`));
