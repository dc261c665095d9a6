// A socket that comes back by itself.
export class LiveSocket {
  constructor(path) {
    this.url = `ws://${location.host}${path}`;
    this.handlers = new Map();
    this.outbox = [];
    this.delay = 300;
    this.onstate = () => {};
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 300;
      this.onstate('live');
      for (const message of this.outbox.splice(0)) socket.send(message);
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      (this.handlers.get(message.topic) || []).forEach((handler) => handler(message.body));
    };
    socket.onclose = () => {
      this.onstate('connecting');
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 8000);
    };
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.outbox.push(text);
  }

  subscribe(topic, handler) {
    if (!this.handlers.has(topic)) this.handlers.set(topic, []);
    this.handlers.get(topic).push(handler);
    this.send({ type: 'subscribe', topic });
  }
}
