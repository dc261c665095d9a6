import { html, render } from "../lib/view.js";
import { length } from "../lib/format.js";
import { queue } from "./queue-store.js";

const box = document.querySelector("#queue");
const labels = { current: queue.playing, next: queue.playing + 1 };

export function drawQueue({ tracks }) {
  render(box, html`<ol>${tracks.map((t, i) => html`
    <li>${i === labels.current ? "▶ " : ""}${t.title} – ${t.artist} <span class="muted">${length(t.seconds)}</span></li>`)}</ol>`);
}
