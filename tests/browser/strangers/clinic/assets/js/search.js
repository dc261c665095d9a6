import { api } from '/assets/core/api.js';
import { $, esc, html } from '/assets/core/html.js';

let running = new AbortController();

// What is likely, as long as nothing is typed.
api.get('/api/patients/suggested', { signal: running.signal }).then(({ items }) => draw(items), quiet);

function quiet(error) {
  if (error.name !== 'AbortError') throw error;
}

const initials = (name) => name.split(' ').map((w) => w[0]).join('');

async function face(patient) {
  const response = await fetch(`/api/patients/${patient.id}/photo`);
  if (response.status !== 404) return;
  $(`#face-${patient.id}`).textContent = initials(patient.name);
}

function draw(items) {
  $('#found').innerHTML = items.map((p) => html`<li><b id="face-${p.id}"></b> ${esc(p.name)}, ${esc(p.born)}</li>`).join('')
    || '<li>Nobody of that name.</li>';
  items.forEach(face);
}

async function look(event) {
  running.abort();
  running = new AbortController();
  const q = event.target.value.trim();
  if (!q) return;
  try {
    const { items } = await api.get(`/api/patients/search?q=${encodeURIComponent(q)}`, { signal: running.signal });
    draw(items);
  } catch (error) {
    quiet(error);
  }
}

// What a browser fills in by itself is told by change only.
for (const type of ['input', 'change']) $('#q').addEventListener(type, look);
