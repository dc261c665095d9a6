export class Feed extends EventTarget {
  constructor({ src, socket, every }) { super(); Object.assign(this, { src, socket, every }); this.tries = 0; }
  start() {
    try { this.connect(); } catch (error) { console.warn('feed: no sockets here', error); this.poll(); }
    return this;
  }
  connect() {
    const ws = new WebSocket(`ws://${location.host}${this.socket}`);
    let open = false;
    ws.onopen = () => { open = true; };
    ws.onmessage = (m) => this.emit(JSON.parse(m.data));
    ws.onclose = () => {
      if (!open && ++this.tries >= 2) { console.warn('feed: socket not available, polling instead'); this.poll(); return; }
      setTimeout(() => this.connect(), 300);
    };
  }
  async poll() {
    try {
      const answer = await fetch(this.src, { cache: 'no-store' });
      if (answer.ok) this.emit(await answer.json());
    } finally {
      this.timer = setTimeout(() => this.poll(), this.every);
    }
  }
  stop() { clearTimeout(this.timer); }
  emit(detail) { this.dispatchEvent(new CustomEvent('data', { detail })); }
}
