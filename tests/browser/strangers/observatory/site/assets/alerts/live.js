/** A thin layer over EventSource: one place for reconnects and for what arrives. */
export class Live {
  constructor(address) {
    this.address = address;
    this.handlers = {};
    this.beats = 0;
  }

  on(type, handler) {
    (this.handlers[type] ??= []).push(handler);
    return this;
  }

  tell(type, data) {
    (this.handlers[type] ?? []).forEach(handler => handler(data));
  }

  connect() {
    this.source = new EventSource(this.address);
    this.source.onopen = () => this.tell('open');
    this.source.onerror = () => this.tell('lost', this.source.readyState);
    this.source.addEventListener('heartbeat', () => { this.beats += 1; this.tell('beat', this.beats); });
    this.source.onmessage = event => {
      let envelope;
      try {
        envelope = JSON.parse(event.data);
      } catch {
        return;
      }
      this.tell('alert', envelope);
    };
    return this;
  }
}
