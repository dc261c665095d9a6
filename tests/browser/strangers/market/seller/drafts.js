import { getJson } from '/lib/http.js';
import { $ } from '/lib/ui.js';
import '/lib/metrics.js';
import { Shelf } from './shelf.js';
import { picture } from './picture.js';

const shelf = new Shelf();
const draft = shelf.newest() ?? { ...(await getJson('/api/listings/812/template')), photo: picture(720) };

$('#title').value = draft.title;
$('#photo').src = draft.photo;
$('#now').textContent = `Draft: ${draft.title}`;
$('#keep').addEventListener('click', () => {
  draft.title = $('#title').value;
  shelf.put(draft);
  $('#now').textContent = `Draft: ${draft.title}`;
  $('#note').textContent = 'Your draft is kept.';
});
$('#keep').disabled = false;
