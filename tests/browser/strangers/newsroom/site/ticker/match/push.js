export class Push extends EventTarget {
  #wait = 500;
  #timer = 0;
  constructor(channel) {
    super();
    this.channel = channel;
    this.#connect();
  }
  #connect() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/ticker/${this.channel}`);
    socket.addEventListener('open', () => { this.#wait = 500; });
    socket.addEventListener('message', ({ data }) => this.dispatchEvent(new CustomEvent('entry', { detail: JSON.parse(data) })));
    socket.addEventListener('close', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, 30000);
    });
  }
}
