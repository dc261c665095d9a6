import { $, $$, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

async function show(floor) {
  $('#floor').textContent = `Floor ${floor}`;
  const { stops } = await get(`/museum/guide/api/stops?floor=${floor}`);
  fill('#stops', stops.map((stop) => h('li', {}, stop)));
}

async function offline() {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/museum/guide/sw.js');
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => {
    navigator.serviceWorker.addEventListener('controllerchange', done, { once: true });
    setTimeout(done, 3000);
  });
}

async function begin() {
  await offline().catch(() => {});
  $$('[data-floor]').forEach((button) => {
    button.disabled = false;
    button.addEventListener('click', () => show(button.dataset.floor));
  });
  await show('1');
}

begin();
