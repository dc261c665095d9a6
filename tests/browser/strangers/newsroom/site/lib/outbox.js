// Sends what was entered in order; what cannot be sent now is tried again when the connection is back.
export class Outbox {
  #items = [];
  #running = false;
  #idle = new EventTarget();
  put(path, body) {
    this.#items.push({ path, body, tries: 0 });
    queueMicrotask(() => this.#run());
    return { accepted: true };
  }
  onIdle(listener) { this.#idle.addEventListener('idle', listener); }
  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#items.length) {
      const item = this.#items[0];
      try {
        const response = await fetch(item.path, {
          method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(item.body),
        });
        if (response.status >= 500 && item.tries++ < 3) continue;
        this.#items.shift();
      } catch {
        break;
      }
    }
    this.#running = false;
    this.#idle.dispatchEvent(new Event('idle'));
  }
}
