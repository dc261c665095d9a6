import { $ } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { drafts } from './drafts.js';
import { keepEditions } from './offline.js';

const server = await http.get('/api/drafts/longread-9');
const own = drafts.find(server.id);
const draft = { ...server, ...own };
$('#title').textContent = draft.title;
$('#standfirst').value = draft.standfirst;
$('#body').textContent = `${draft.body.slice(0, 240)}…`;
$('#keep').addEventListener('click', () => {
  draft.standfirst = $('#standfirst').value;
  if (drafts.keep(draft)) $('#kept').textContent = 'Kept on this device.';
});
const kept = await keepEditions(http);
$('#state').textContent = `${own ? 'Your own version' : 'The version of the desk'} · ${kept} pages for the train`;
