import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import '/lib/pulse.js';
import { Line } from './line.js';

const line = new Line('/live/agent?topic=general');
const add = (who, text) => $('#talk').append(h('li', {}, `${who}: ${text}`));

line.addEventListener('ready', () => { $('#state').textContent = 'You are talking to Kari.'; });
line.addEventListener('said', ({ detail }) => add('Kari', detail.text));

$('#say').addEventListener('submit', (event) => {
  event.preventDefault();
  add('You', $('#text').value);
  line.say($('#text').value);
  $('#text').value = '';
});

const hours = await http.get('/api/chat/hours');
fill($('#topics'), hours.topics.map((topic) => h('li', {}, topic)));
