import { Bus } from './bus.js';

/** A socket that keeps what is said before it is open, and tells a bus what comes. */
export class Line {
  #waiting = [];
  constructor(path) {
    this.bus = new Bus();
    this.socket = new WebSocket(location.origin.replace('http', 'ws') + path);
    this.socket.addEventListener('open', () => {
      for (const value of this.#waiting.splice(0)) this.say(value);
      this.bus.emit('open');
    });
    this.socket.addEventListener('message', (event) => {
      const value = JSON.parse(event.data);
      this.bus.emit(value.op, value);
    });
    this.socket.addEventListener('close', (event) => this.bus.emit('close', event.code));
  }
  say(value) {
    if (this.socket.readyState !== WebSocket.OPEN) this.#waiting.push(value);
    else this.socket.send(JSON.stringify(value));
  }
}
