import { $, el } from '/shared/ui.js';
import { ask } from '/shared/http.js';
import { subject } from './headers.js';

function unique(list) {
  const seen = new Map();
  for (const m of list) {
    if (seen.has(m.i)) console.warn(`mail: message ${m.i} was delivered twice, shown once`);
    seen.set(m.i, m);
  }
  return [...seen.values()];
}
async function open(message) {
  const { html } = await ask(`/api/mail/bodies/${message.i}`);
  $('#body').srcdoc = html;
  $('#body').classList.remove('away');
}
const { list } = await ask('/api/mail/inbox');
const all = unique(list).filter((m) => !m.gone);
const good = all.filter((m) => !m.q);
$('#list').replaceChildren(...good.map((m) => el('li', {}, el('button', { id: `m${m.i}`, textContent: subject(m.s), onclick: () => open(m) }), ` ${m.f}`)));
$('#sum').textContent = `${good.length} messages. ${all.length - good.length} lie in quarantine.`;
setInterval(() => ask('/api/mail/inbox', { headers: { 'X-Have': '7' } }), 1500);
