import { api } from '/lib/http.js';
import { DeskSocket } from './desk-socket.js';

const link = document.querySelector('#link');
const socket = new DeskSocket({
  open: () => { link.textContent = 'Connected.'; },
  lost: () => { link.textContent = 'Connection lost. Reconnecting...'; },
  message(m) {
    if (m.type !== 'conversations') return;
    document.querySelector('#conversations').innerHTML = m.list.map((c) => `<li>${c.who}: ${c.text}</li>`).join('');
  },
});

const { agents } = await api('/api/desk/agents');
document.querySelector('#agents').textContent = `On duty: ${agents.join(', ')}`;
socket.connect();
