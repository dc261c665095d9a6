import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { latest } from '/lib/abortable.js';

let sort = 'title';
const load = latest((signal, q) => http.get(`/api/opinion/pieces?q=${encodeURIComponent(q)}&sort=${sort}`, { signal }));
async function show(q) {
  try {
    const { pieces } = await load(q);
    fill('#pieces', pieces.map((title) => h('li', {}, title)));
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}
$('#q').addEventListener('input', (event) => show(event.target.value));
show('');
http.get('/api/opinion/preferences').then((own) => {
  sort = own.sort;
  show($('#q').value);
});
try {
  const draft = await http.get('/api/opinion/drafts/mine');
  fill('#draft', `Go on with “${draft.title}”`);
} catch (error) {
  if (error.status !== 404) throw error;
  fill('#draft', h('button', {}, 'Begin a new piece'));
}
