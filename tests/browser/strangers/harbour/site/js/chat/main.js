import { api } from '/js/core/api.js';
import { $, h } from '/js/core/dom.js';
import { ChatLink } from './link.js';

const link = new ChatLink('/ws/desk?room=4471');
const lines = new Map();
let serial = 0;

function line({ from, text, at, state }) {
  const mark = h('span', { class: 'muted' }, ` ${state ?? at}`);
  $('#lines').append(h('p', {}, h('strong', {}, from), ': ', text, mark));
  return mark;
}

async function history() {
  const { messages } = await api.get('/chat/history');
  messages.forEach(line);
}

async function presence() {
  const { master, online } = await api.get('/chat/presence');
  $('#who').textContent = `${master} is ${online ? 'online' : 'away'}`;
}

link.addEventListener('ack', ({ detail }) => {
  const mark = lines.get(detail.id);
  if (mark) mark.textContent = ' delivered';
});
link.addEventListener('line', ({ detail }) => line(detail));

$('#write').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('#text').value.trim();
  if (!text) return;
  const id = ++serial;
  lines.set(id, line({ from: 'you', text, state: 'sending…' }));
  link.send({ id, kind: 'line', text });
  $('#text').value = '';
});

async function faces() {
  const answer = await fetch('/api/me/avatar');
  if (answer.ok) $('#face').src = URL.createObjectURL(await answer.blob());
  else console.warn(`chat: you have no picture (${answer.status}), your initials are shown`);
}

link.open();
history();
presence();
faces();
