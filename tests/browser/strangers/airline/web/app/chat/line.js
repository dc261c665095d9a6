export class Line extends EventTarget {
  #tries = 0;
  #queue = [];
  constructor(path) {
    super();
    this.path = path;
    this.connect();
  }
  connect() {
    this.socket = new WebSocket(`ws://${location.host}${this.path}`);
    this.socket.onopen = () => {
      for (const text of this.#queue.splice(0)) this.socket.send(text);
      this.dispatchEvent(new Event('ready'));
    };
    this.socket.onmessage = ({ data }) => this.dispatchEvent(new CustomEvent('said', { detail: JSON.parse(data) }));
    this.socket.onclose = () => {
      if (this.#tries < 3) setTimeout(() => this.connect(), 500 * 2 ** this.#tries++);
    };
  }
  say(text) {
    const line = JSON.stringify({ text });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(line);
    else this.#queue.push(line);
  }
}
