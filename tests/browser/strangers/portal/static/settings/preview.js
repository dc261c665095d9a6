import { html, render } from "../lib/view.js";
import { storage } from "../lib/storage.js";

const DEFAULTS = { theme: "light", density: "cosy", columns: 4 };
const target = document.querySelector("#preview");

export function applyPreferences() {
  try {
    const prefs = { ...DEFAULTS, ...storage.read("appearance", {}) };
    document.documentElement.dataset.theme = prefs.theme;
    render(target, html`<p>${prefs.theme} theme, ${prefs.density}, ${prefs.columns} covers per row</p>`);
  } catch (error) {
    console.error("Preferences not applied:", error);
    render(target, html`<p class="error">Your settings could not be applied.</p>`);
  }
}
