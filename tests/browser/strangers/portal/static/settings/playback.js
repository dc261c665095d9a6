import { html, render, on } from "../lib/view.js";
import { api } from "../lib/api.js";
import { storage } from "../lib/storage.js";

const box = document.querySelector("#playback");
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function stored() {
  try {
    return storage.read("playback", {});
  } catch (error) {
    // The format of the app before version 4.
    console.warn("[playback] old format, converting:", error.message);
    const [, quality] = localStorage.getItem("wavehall.playback").split("|");
    const converted = { quality };
    storage.write("playback", JSON.stringify(converted));
    return converted;
  }
}

async function retrying(path, tries = 3) {
  for (let n = 1; ; n++) {
    try {
      return await api(path);
    } catch (error) {
      if (n === tries || error.status !== 503) throw error;
      await sleep(300 * n);
    }
  }
}

const prefs = { quality: "normal", ...stored() };
const { outputs } = await retrying("/player/outputs");

render(box, html`
  <p>Quality: <b id="quality">${prefs.quality}</b> <button data-quality="lossless">Lossless</button></p>
  <ul>${outputs.map((o) => html`<li>${o.name}${o.online ? "" : " (offline)"}</li>`)}</ul>`);

on(box, "click", "[data-quality]", (event, button) => {
  prefs.quality = button.dataset.quality;
  storage.write("playback", JSON.stringify(prefs));
  box.querySelector("#quality").textContent = prefs.quality;
});
