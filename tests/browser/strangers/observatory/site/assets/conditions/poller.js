import { Emitter } from '/assets/lib/emitter.js';
import { http } from '/assets/lib/http.js';

/** Asks for the latest reading again and again and tells who listens. */
export class Poller extends Emitter {
  constructor(path, { every = 1000, keep = 30 } = {}) {
    super();
    this.path = path;
    this.every = every;
    this.keep = keep;
    this.history = [];
    this.lost = 0;
  }

  start() {
    this.running = true;
    this.next();
    return this;
  }

  stop() {
    this.running = false;
    clearTimeout(this.timer);
  }

  async next() {
    if (!this.running) return;
    try {
      const reading = await http.get(this.path);
      this.history.push(reading);
      if (this.history.length > this.keep) this.history.shift();
      this.emit('reading', reading);
      this.timer = setTimeout(() => this.next(), this.every);
    } catch (error) {
      this.lost += 1;
    }
  }
}
