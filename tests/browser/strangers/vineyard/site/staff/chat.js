import { getJson, h, pick } from "/lib/kit.js";
import { Wire } from "/staff/wire.js";

const wire = new Wire("/ws/chat");
const line = (from, text, state = "") => h("li", {}, `${from}: ${text} `, h("i", { className: "busy" }, state));
const waiting = new Map();

wire.addEventListener("message", ({ data }) => {
  if (waiting.has(data.nonce)) waiting.get(data.nonce).querySelector("i").textContent = "";
  else pick("#messages").append(line(data.from, data.text));
});

pick("#send").addEventListener("click", () => {
  const text = pick("#text").value.trim();
  if (!text) return;
  const nonce = crypto.randomUUID();
  const item = line("You", text, "sending…");
  waiting.set(nonce, item);
  pick("#messages").append(item);
  pick("#text").value = "";
  wire.send({ nonce, text });
});

const channel = await getJson("/api/staff/channel");
pick("#channel").textContent = `${channel.name}: ${channel.members.join(", ")}`;
pick("#messages").prepend(...channel.messages.map((m) => line(m.from, m.text)));
