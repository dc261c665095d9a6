import { api, ApiError } from '/lib/api.js';

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function health(tries = 3) {
  for (let i = 1; ; i += 1) {
    try {
      return await api('/api/monitor/health');
    } catch (err) {
      if (!(err instanceof ApiError) || err.status !== 503 || i === tries) throw err;
      console.warn(`health: ${err.message}, attempt ${i}`);
      await wait(400);
    }
  }
}

class StatusBoard extends HTMLElement {
  async connectedCallback() {
    while (this.isConnected) {
      const { services, run } = await health();
      this.textContent = services.map((s) => `${s.name}: ${s.ok ? 'up' : 'down'}`).join(', ') + ` (check ${run})`;
      await wait(1500);
    }
  }
}

let attempts = 0;
function connect() {
  const ws = new WebSocket(`ws://${location.host}/api/monitor/socket`);
  ws.onmessage = (ev) => { attempts = 0; document.querySelector('#load').textContent = JSON.parse(ev.data).value + ' %'; };
  ws.onclose = () => { attempts += 1; setTimeout(connect, 300 * attempts); };
}

connect();
// the board is defined a little later, once the page is quiet
setTimeout(() => customElements.define('status-board', StatusBoard), 300);
