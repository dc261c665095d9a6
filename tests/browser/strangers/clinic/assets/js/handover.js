import { lasting } from '/assets/core/socket.js';
import { $, esc } from '/assets/core/html.js';

const seen = new Set();
let count = 0;

function line(from, text, id) {
  const item = document.createElement('li');
  item.innerHTML = `<b>${esc(from)}</b> ${esc(text)}`;
  if (id) item.id = id;
  $('#lines').append(item);
  return item;
}

const chat = lasting(`ws://${location.host}/ws/chat?room=handover`, {
  hello: () => ({ type: 'join', room: 'handover' }),
  onState: (state) => { $('#state').textContent = state; },
  onFrame(frame) {
    if (frame.type === 'message') {
      const key = `${frame.from}/${frame.text}`;
      if (seen.has(key)) return; // the server repeats the last lines after every join
      seen.add(key);
      line(frame.from, frame.text);
    }
    if (frame.type === 'ack') document.getElementById(frame.ref).append(' ✓');
  },
});

$('#composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('#say').value.trim();
  if (!text) return;
  count += 1;
  line('You', text, `own-${count}`);
  chat.send({ type: 'say', ref: `own-${count}`, text });
  $('#say').value = '';
});
