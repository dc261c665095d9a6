import { storage } from "../lib/storage.js";
import { applyPreferences } from "./preview.js";

const form = document.querySelector("#prefs");

function collect() {
  const data = new FormData(form);
  return {
    theme: data.get("theme"),
    density: data.get("density"),
    columns: Number(data.get("columns")),
  };
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const prefs = collect();
  storage.write("appearance", prefs);
  applyPreferences();
});

applyPreferences();
