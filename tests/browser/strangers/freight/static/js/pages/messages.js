import { http } from '../lib/http.js';
import { $, el, fill } from '../lib/ui.js';

const THREAD = '/api/threads/dispatch/messages';
const state = $('#state');

async function reload() {
  const { messages } = await http.get(`${THREAD}/`);
  fill($('#thread'), messages.map((m) => el('li', {}, el('strong', {}, `${m.from}: `), m.text)));
}

$('#compose').addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = $('#text').value.trim();
  if (!text) return;
  try {
    await http.post(THREAD, { text });
    $('#text').value = '';
    state.textContent = 'Sent';
    await reload();
  } catch (error) {
    state.textContent = `Not sent: ${error.message}`;
  }
});

reload();
