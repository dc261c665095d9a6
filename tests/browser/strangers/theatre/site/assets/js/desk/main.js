import { Channel } from './channel.js';
import { api } from '../shared/client.js';
import { createStore } from '../shared/store.js';
import { log } from '../shared/log.js';

const channel = new Channel(() => api.post('/desk/ticket', { topic: 'box-office' }));

const store = createStore((state, action) => {
  switch (action.type) {
    case 'hours': return { ...state, hours: action.hours };
    case 'said': return { ...state, lines: [...state.lines, action.line] };
    case 'seen': return { ...state, lines: state.lines.map((l) => (l.key === action.key ? { ...l, seen: true } : l)) };
    default: return state;
  }
}, { hours: null, lines: [] });

channel.on('message', (message) => {
  if (message.type === 'ack') store.dispatch({ type: 'seen', key: message.key });
  if (message.type === 'line') store.dispatch({ type: 'said', line: { who: 'Box office', text: message.text, seen: true } });
});
channel.on('state', (state) => log.note('channel', state));

store.subscribe(({ hours, lines }) => {
  if (hours) {
    document.querySelector('#hours').textContent = hours.open
      ? `${hours.agents} colleagues are here for you until ${hours.until}.`
      : 'We are back tomorrow at ten.';
  }
  document.querySelector('#lines').replaceChildren(...lines.map((line) => {
    const p = document.createElement('p');
    p.textContent = `${line.who}: ${line.text} ${line.seen ? '' : '(sending ...)'}`;
    return p;
  }));
});

let key = 0;
document.querySelector('#chat').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = event.target.elements.text;
  const text = field.value.trim();
  if (!text) return;
  key += 1;
  store.dispatch({ type: 'said', line: { key, who: 'You', text, seen: false } });
  channel.send({ type: 'line', key, text });
  field.value = '';
});

api.get('/desk/hours').then((hours) => store.dispatch({ type: 'hours', hours }));
api.get('/desk/faq').catch(() => log.warn('no questions and answers in this language'));
channel.open().catch((error) => log.warn('channel', error));
