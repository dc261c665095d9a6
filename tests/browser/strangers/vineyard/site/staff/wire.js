export class Wire extends EventTarget {
  #socket;
  #queue = [];
  #pause = 600;

  constructor(path) {
    super();
    this.url = `ws://${location.host}${path}`;
    this.#connect();
  }

  #connect() {
    this.#socket = new WebSocket(this.url);
    this.#socket.onopen = () => {
      this.#pause = 600;
      this.#queue.splice(0).forEach((m) => this.#socket.send(m));
    };
    this.#socket.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent("message", { data: JSON.parse(data) }));
    this.#socket.onclose = () => {
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, 15000);
    };
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#queue.push(text);
  }
}
