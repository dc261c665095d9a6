import { $, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Line } from "./line.js";

mountShell({ measure: true });

const line = new Line();
line.addEventListener("message", ({ detail }) => {
  $("#lines").append(h("li", {}, h("b", {}, detail.from), ` ${detail.text}`));
  $("#link").textContent = "You are connected.";
});
line.open();

$("#say").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("#text").value.trim();
  if (!text) return;
  $("#text").value = "";
  await line.say(text);
});
