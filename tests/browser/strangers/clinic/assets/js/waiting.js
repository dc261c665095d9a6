import { api } from '/assets/core/api.js';
import { $, esc, html } from '/assets/core/html.js';

const EVERY = 800;
let shown = null;

function draw(items) {
  const text = items.length
    ? items.map((p) => html`<li>${esc(p.name)}</li>`).join('')
    : '<li>Nobody is waiting.</li>';
  if (text !== shown) $('#people').innerHTML = shown = text;
}

async function poll() {
  try {
    draw((await api.get('/api/waiting')).items);
  } catch (error) {
    console.info('waiting list: later again', error.message);
  }
  setTimeout(poll, EVERY);
}

poll();
