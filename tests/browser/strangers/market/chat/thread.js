import { getJson } from '/lib/http.js';
import { $, el } from '/lib/ui.js';
import { Line } from '/lib/line.js';
import '/lib/metrics.js';
import { Conversation } from './conversation.js';

const line = new Line('/ws/thread');
const { threads } = await getJson('/api/threads');
let current = null;

for (const thread of threads) {
  const conversation = new Conversation(thread, line.bus);
  const enter = () => {
    current = thread.id;
    line.say({ op: 'open', thread: thread.id });
    conversation.open();
  };
  $('#threads').append(el('button', { id: `open-${thread.id}`, onclick: enter }, thread.name));
}

$('#send').addEventListener('click', () => {
  const text = $('#text').value.trim();
  if (!text || !current) return;
  line.say({ op: 'say', thread: current, text });
  $('#text').value = '';
});
