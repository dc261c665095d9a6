export class Channel extends EventTarget {
  constructor(path) {
    super();
    this.url = `ws://${location.host}${path}`;
    this.tries = 0;
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.onmessage = (ev) => this.dispatchEvent(new CustomEvent('packet', { detail: JSON.parse(ev.data) }));
    this.socket.onclose = () => this.retry();
    this.send({ type: 'hello', topic: 'general' });
  }

  send(packet) {
    this.socket.send(JSON.stringify(packet));
  }

  retry() {
    this.tries += 1;
    this.dispatchEvent(new CustomEvent('retry', { detail: this.tries }));
    setTimeout(() => this.open(), Math.min(500 * this.tries, 4000));
  }
}
