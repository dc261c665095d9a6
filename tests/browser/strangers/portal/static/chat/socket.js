// One socket with typed messages; reconnects when the server goes away.
export class ChatSocket extends EventTarget {
  constructor(path) {
    super();
    this.url = `ws://${location.host}${path}`;
    this.attempt = 0;
  }

  connect() {
    this.ws = new WebSocket(this.url);
    this.ws.addEventListener("open", () => {
      this.attempt = 0;
      this.dispatchEvent(new Event("open"));
    });
    this.ws.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    });
    this.ws.addEventListener("close", (event) => {
      this.dispatchEvent(new CustomEvent("down", { detail: event.code }));
      const wait = Math.min(8000, 400 * 2 ** this.attempt++);
      setTimeout(() => this.connect(), wait);
    });
  }

  send(type, fields = {}) {
    this.ws.send(JSON.stringify({ type, ...fields }));
  }
}
