import { getJson, wait } from '/lib/http.js';
import { $, list } from '/lib/ui.js';
import '/lib/metrics.js';
import { Finder } from './finder.js';

const finder = new Finder();
async function show(q) {
  const contacts = await finder.find(q);
  if (contacts) list($('#contacts'), contacts, (name) => name, 'Nobody of this name');
}

async function poll() {
  $('#way').textContent = 'Contacts are kept up to date.';
  for (let turn = 0; turn < 20; turn++) {
    const news = await getJson('/api/contacts/events');
    if (news) await show($('#q').value);
    await wait(500);
  }
}

const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws/contacts');
socket.addEventListener('error', () => {
  console.info('[contacts] no socket here, asking instead');
  poll();
}, { once: true });
$('#q').addEventListener('input', () => show($('#q').value));
show('');
show('');
