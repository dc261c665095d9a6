import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
function draw({ ships, at }) { put("#at", `As of ${at}`); put("#ships", ships.map((s) => h("li", {}, s.name))); }
async function poll() { draw(await getJSON("/api/radar/now")); setTimeout(poll, 2000); }
const socket = new WebSocket(`ws://${location.host}/ws/radar`);
socket.onmessage = (m) => draw(JSON.parse(m.data));
socket.onerror = () => { console.info("radar: no live line, asking every two seconds"); poll(); };
