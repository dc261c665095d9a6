/** Readings of a scale: by a socket where there is one, else by asking. */
export class ScaleLink {
  constructor(onReading, { every = 800 } = {}) {
    this.onReading = onReading;
    this.every = every;
    this.timer = null;
  }

  start() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws/scales`);
    socket.onmessage = ({ data }) => this.onReading(JSON.parse(data), 'socket');
    socket.onerror = () => console.warn('scales: no socket, asking instead');
    socket.onclose = () => this.#poll();
  }

  #poll() {
    const ask = async () => {
      try {
        const response = await fetch('/api/scales');
        if (response.ok) this.onReading(await response.json(), 'asking');
      } finally {
        this.timer = setTimeout(ask, this.every);
      }
    };
    ask();
  }

  stop() {
    clearTimeout(this.timer);
  }
}
