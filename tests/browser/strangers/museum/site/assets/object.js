import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

const picture = $('#picture');
const DRAWING = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#e8e0cc"/></svg>');

function placeholder() {
  picture.src = DRAWING;
  picture.alt = 'Not photographed yet';
}

if (picture.complete && !picture.naturalWidth) placeholder();
else picture.addEventListener('error', placeholder, { once: true });
window.lightbox(picture, { fade: 300 });

const object = await get('/museum/api/objects/hydria');
$('#caption').textContent = `${object.title}, ${object.made}. ${object.room}`;

try {
  const stop = await get('/museum/api/audio/objects/hydria');
  fill('#audio', h('audio', { controls: true, src: stop.src }));
} catch (error) {
  if (error.status !== 404) throw error;
  $('#audio').textContent = 'There is no audio for this object.';
}

const related = await get('/museum/api/objects/hydria/related');
$('#related').textContent = related.length ? related.map(({ title }) => title).join(', ') : 'Nothing else of this workshop is in the house.';
