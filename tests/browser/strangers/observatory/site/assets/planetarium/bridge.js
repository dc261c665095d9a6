/** Talks with the seat picker, which comes from the ticket partner in a frame. */
export class SeatBridge extends EventTarget {
  constructor(frame, origins) {
    super();
    this.frame = frame;
    this.origins = new Set(origins);
    this.queue = [];
    window.addEventListener('message', event => this.receive(event));
  }

  receive(event) {
    if (!this.origins.has(event.origin)) return;
    const { type, ...detail } = event.data ?? {};
    if (typeof type !== 'string' || !type.startsWith('seats:')) return;
    this.dispatchEvent(new CustomEvent(type.slice(6), { detail }));
  }

  send(type, detail) {
    this.frame.contentWindow.postMessage({ type: `seats:${type}`, ...detail }, '*');
  }
}
