export class Channel extends EventTarget {
  #socket = null;
  #tries = 0;
  #name;

  constructor(name) { super(); this.#name = name; }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.#socket = new WebSocket(`${scheme}://${location.host}/ws/crew?channel=${this.#name}`);
    this.#socket.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent('said', { data: JSON.parse(data) }));
    this.#socket.onopen = () => { this.#tries = 0; };
    this.#socket.onclose = () => this.#later();
  }

  say(text) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ text }));
  }

  #later() {
    if (this.#tries > 5) return;
    setTimeout(() => this.open(), 700 * 2 ** this.#tries++);
  }
}
