import { api } from '/lib/http.js';

export class DeskSocket {
  constructor(handlers) {
    this.handlers = handlers;
    this.tries = 0;
  }

  async connect() {
    const { token } = await api('/api/desk/ticket');
    const url = new URL('/api/desk/socket', location.href);
    url.protocol = 'ws:';
    url.searchParams.set('token', token);
    const ws = new WebSocket(url);
    ws.addEventListener('message', (e) => {
      this.tries = 0;
      this.handlers.open();
      this.handlers.message(JSON.parse(e.data));
    });
    ws.addEventListener('close', () => {
      this.handlers.lost();
      setTimeout(() => this.connect(), Math.min(8000, 500 * 2 ** this.tries++));
    });
  }
}
