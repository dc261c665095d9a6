import { $, el } from '/shared/ui.js';
import { ask, pause } from '/shared/http.js';
import { link } from './link.js';

const muted = new Set(JSON.parse(localStorage.getItem('chat.muted') ?? '["spam-bot"]'));
const own = new Map();
const row = (who, text) => $('#talk').appendChild(el('li', { textContent: `${who}: ${text}` }));

link((list) => {
  for (const m of list) {
    if (muted.has(m.w)) { console.info('chat: muted', m.w); continue; }
    if (own.has(m.key)) { own.get(m.key).style.opacity = 1; continue; }
    row(m.w, m.t);
  }
}, (text) => { $('#state').textContent = text; });

$('#send').onclick = async () => {
  const text = $('#line').value;
  const key = crypto.randomUUID();
  const mine = row('Mira', text);
  mine.style.opacity = 0.5;
  own.set(key, mine);
  $('#line').value = '';
  for (let turn = 0; turn < 4; turn++) {
    try { await ask('/api/chat/messages', { method: 'POST', json: { key, text } }); break; } catch (e) {
      console.error('chat: sending', turn + 1, e.message);
      if (e.status === 409 && e.body.code === 'ALREADY_THERE') break;   // the first one had arrived
      if (turn === 3) { mine.append(' (not sent)'); return; }
      await pause(500);
    }
  }
  mine.style.opacity = 1;
};
