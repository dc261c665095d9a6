import { api } from '/lib/http.js';

const log = document.querySelector('#log');
const link = document.querySelector('#link');
const seen = new Set();
let ws = null;
let tries = 0;

async function access() {
  try {
    return await api('/api/chat/access', { method: 'POST', json: {} });
  } catch (err) {
    if (err.status !== 401) throw err;
    await api('/api/chat/refresh', { method: 'POST', json: {} });
    return api('/api/chat/access', { method: 'POST', json: {} });
  }
}

function add({ n, who, text }) {
  if (seen.has(n)) return;
  seen.add(n);
  const li = document.createElement('li');
  li.textContent = `${who}: ${text}`;
  log.append(li);
}

function connect(room) {
  ws = new WebSocket(`ws://${location.host}/api/chat/rooms/${room}`);
  ws.onopen = () => { tries = 0; link.textContent = 'Connected.'; };
  ws.onmessage = (e) => add(JSON.parse(e.data));
  ws.onclose = (e) => {
    console.warn(`chat closed (${e.code}), connecting again`);
    link.textContent = 'Connecting again...';
    setTimeout(() => connect(room), Math.min(5000, 400 * 2 ** tries++));
  };
}

document.querySelector('#say').addEventListener('submit', (e) => {
  e.preventDefault();
  const { text } = e.target.elements;
  add({ n: 'mine-' + Date.now(), who: 'You', text: text.value });
  ws.send(JSON.stringify({ type: 'say', text: text.value }));
  text.value = '';
});

access().then(({ room }) => connect(room));
