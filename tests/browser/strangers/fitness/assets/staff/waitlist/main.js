import { $, escape, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";

function listen(pause = 300) {
  const socket = new WebSocket(`ws://${location.host}/socket/waitlist`);
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === "hello") $("#line").textContent = `Live: ${frame.desk}`;
  };
  socket.onclose = ({ code }) => {
    console.warn(`[waitlist] socket closed with ${code}, again in ${pause} ms`);
    setTimeout(() => listen(Math.min(pause * 2, 10000)), pause);
  };
}

async function follow() {
  for (;;) {
    const change = await getJson("/api/waitlist/changes");
    if (change) show(change);
    await new Promise((done) => setTimeout(done, 400));
  }
}

function show(list) {
  $("#lesson").textContent = list.class;
  $("#entries").innerHTML = list.entries.length
    ? html`${list.entries.map((e) => html`<li>${escape(e.name)}</li>`)}`
    : "<li>Nobody is waiting.</li>";
}

getJson("/api/flags/waitlist-export").then(() => { $("#export").hidden = false; }, () => { $("#export").hidden = true; });
show(await getJson("/api/waitlist"));
listen();
follow();
