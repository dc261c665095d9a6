import { Emitter } from '../shared/emitter.js';

/** A line to the box office that comes back when it goes. */
export class Channel extends Emitter {
  constructor(authorise) {
    super();
    this.authorise = authorise;
    this.outbox = [];
    this.tries = 0;
    this.socket = null;
  }

  async open() {
    const pass = await this.authorise();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/desk?ticket=${pass.ticket}`);
    this.socket.onopen = () => { this.tries = 0; this.flush(); this.emit('state', 'open'); };
    this.socket.onmessage = (event) => this.emit('message', JSON.parse(event.data));
    this.socket.onclose = () => this.again();
  }

  again() {
    this.tries += 1;
    this.emit('state', 'waiting');
    setTimeout(() => this.open(), Math.min(8000, 1200 * this.tries));
  }

  send(message) {
    this.outbox.push(message);
    this.flush();
  }

  flush() {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return;
    while (this.outbox.length) this.socket.send(JSON.stringify(this.outbox.shift()));
  }
}
