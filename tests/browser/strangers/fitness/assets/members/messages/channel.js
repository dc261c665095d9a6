export class Channel {
  #handlers = new Map();
  #journal = [];

  constructor(path) {
    this.socket = new WebSocket(`ws://${location.host}${path}`);
    this.socket.addEventListener("message", (event) => this.#deliver(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.#journal.push(["close", event.code]));
  }

  on(type, handler) {
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
    return this;
  }

  #deliver(frame) {
    for (const handler of this.#handlers.get(frame.type) ?? []) handler(frame);
  }

  post(frame) {
    try {
      this.socket.send(JSON.stringify(frame));
    } catch (error) {
      this.#journal.push(["post", error]);
    }
  }
}
