import { api } from "/shared/api.js";

/** Messages by socket, or by asking where sockets are not to be had. */
export class Line extends EventTarget {
  #seen = 0;

  open() {
    const socket = new WebSocket(`ws://${location.host}/live/chat`);
    socket.onmessage = (event) => this.#take(JSON.parse(event.data).messages);
    socket.onerror = () => {
      console.warn("chat: no socket, asking instead");
      this.dispatchEvent(new Event("asking"));
      this.#ask();
    };
  }

  #take(messages) {
    for (const message of messages) {
      if (message.id <= this.#seen) continue;
      this.#seen = message.id;
      this.dispatchEvent(new CustomEvent("message", { detail: message }));
    }
  }

  async #ask() {
    try {
      this.#take((await api.get(`/api/chat/poll?after=${this.#seen}`)).messages);
      this.#ask();
    } catch {
      setTimeout(() => this.#ask(), 2000);
    }
  }

  say(text) {
    return api.post("/api/chat/messages", { text });
  }
}
