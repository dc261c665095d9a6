import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { ChatSocket } from "./socket.js";

const box = document.querySelector("#chat");
const title = document.querySelector("#room-title");
const state = { status: "Connecting…", lines: [] };

function draw() {
  render(box, html`
    ${state.status && html`<p class="muted">${state.status}</p>`}
    ${state.lines.map((line) => html`<p><b>${line.from}</b> ${line.text}</p>`)}`);
}

async function start() {
  draw();
  const room = await api("/chat/rooms/backstage");
  title.textContent = room.title;

  const socket = new ChatSocket("/ws/backstage");
  socket.addEventListener("open", () => socket.send("join", { room: room.id, history: 20 }));
  socket.addEventListener("joined", (event) => {
    state.status = null;
    state.lines = event.detail.history;
    draw();
  });
  socket.addEventListener("said", (event) => {
    state.lines.push(event.detail);
    draw();
  });
  socket.addEventListener("down", (event) => {
    console.warn("[chat] connection closed", event.detail, "- trying again");
    state.status = "Reconnecting…";
    draw();
  });
  socket.connect();

  document.querySelector("#say").addEventListener("submit", (event) => {
    event.preventDefault();
    socket.send("say", { text: event.target.elements.text.value });
    event.target.reset();
  });
}

start();
