import { api } from '/lib/api.js';
import { loadSettings } from './settings.js';

const note = document.querySelector('#note');

function render(waiting) {
  document.querySelector('#rows').innerHTML = waiting.map((w) => `<tr><td>${w.number}</td><td>${w.topic}</td><td>${w.minutes} min</td></tr>`).join('');
}

async function refresh(settings) {
  try {
    const { waiting } = await api('/api/queue/waiting');
    render(waiting);
    note.className = 'muted';
    note.textContent = `${waiting.length} waiting`;
  } catch (err) {
    note.className = 'alert';
    note.textContent = 'The queue server is overloaded. Call citizens by name.';
  }
  setTimeout(refresh, settings.every, settings);
}

const settings = await loadSettings();
document.querySelector('#counter').textContent = settings.counter;
refresh(settings);
