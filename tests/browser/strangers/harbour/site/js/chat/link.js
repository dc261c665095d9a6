const PROTOCOLS = ['harbour-desk.v2', 'harbour-desk.v2+json'];

/** Keeps a socket to the desk and what is to be sent through it. */
export class ChatLink extends EventTarget {
  #socket = null;
  #outbox = [];
  #tries = 0;

  constructor(path) {
    super();
    this.address = location.origin.replace(/^http/, 'ws') + path;
  }

  open() {
    this.#socket = new WebSocket(this.address, PROTOCOLS);
    this.#socket.onopen = () => {
      this.#tries = 0;
      this.#flush();
    };
    this.#socket.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      this.dispatchEvent(new CustomEvent(said.kind, { detail: said }));
    };
    this.#socket.onclose = () => this.#again();
    this.#socket.onerror = () => {};
  }

  send(message) {
    this.#outbox.push(message);
    this.#flush();
  }

  #flush() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    while (this.#outbox.length) this.#socket.send(JSON.stringify(this.#outbox.shift()));
  }

  #again() {
    this.#tries += 1;
    setTimeout(() => this.open(), Math.min(1000 * 2 ** this.#tries, 15000));
  }
}
