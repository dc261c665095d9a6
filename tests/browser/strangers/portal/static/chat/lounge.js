import { html, render } from "../lib/view.js";
import { api } from "../lib/api.js";
import { ChatSocket } from "./socket.js";

const box = document.querySelector("#chat");
const title = document.querySelector("#room-title");
const state = { room: null, joined: false, lines: [] };

function draw() {
  if (!state.joined) {
    render(box, html`<p class="spinner">Joining ${state.room ? state.room.title : "the room"}…</p>`);
    return;
  }
  render(box, html`${state.lines.map((line) => html`<p><b>${line.from}</b> ${line.text}</p>`)}`);
}

async function start() {
  draw();
  state.room = await api("/chat/rooms/lounge");
  title.textContent = state.room.title;
  draw();

  const socket = new ChatSocket("/ws/chat");
  socket.addEventListener("open", () => socket.send("join", { room: state.room.title, history: 20 }));
  socket.addEventListener("joined", (event) => {
    state.joined = true;
    state.lines = event.detail.history;
    draw();
  });
  socket.addEventListener("said", (event) => {
    state.lines.push(event.detail);
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
