import { Live } from './live.js';
import { http } from '/assets/lib/http.js';

const list = document.querySelector('#alerts');
const badge = document.querySelector('#badge');
const link = document.querySelector('#link');
const seen = new Map();

function draw() {
  const rows = [...seen.values()].reverse();
  list.replaceChildren(...rows.map(alert => {
    const item = document.createElement('div');
    item.className = `card level-${alert.level}`;
    item.textContent = `${alert.level.toUpperCase()}: ${alert.text}`;
    return item;
  }));
}

function add(alert) {
  if (!alert.id || seen.has(alert.id)) return;
  seen.set(alert.id, alert);
  draw();
  window.obsTelemetry?.track('alert', alert.id);
}

async function count() {
  try {
    const { open } = await http.get('/api/alerts/count');
    badge.textContent = `${open} open alerts`;
  } finally {
    setTimeout(count, 1500);
  }
}

const live = new Live('/api/alerts/stream')
  .on('open', () => { link.textContent = 'Live'; })
  .on('lost', () => { link.textContent = 'Connecting again'; })
  .on('beat', n => { link.title = `${n} beats`; })
  .on('alert', add);

const { alerts } = await http.get('/api/alerts/recent');
alerts.forEach(add);
live.connect();
count();
http.get('/api/alerts/muted').catch(() => console.warn('[alerts] nothing is muted'));
