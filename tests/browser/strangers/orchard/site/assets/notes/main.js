import { api, optional } from '/assets/lib/api.js';
import { $, h, say } from '/assets/lib/dom.js';
import { PhotoShelf, show } from './photos.js';

const shelf = new PhotoShelf();

function entry(note) {
  const frame = h('div', { class: 'muted frame' }, note.photo ? 'Photograph …' : '');
  const card = h('article', { class: 'card' }, h('h2', {}, note.row), h('p', {}, note.text), frame);
  return { card, frame };
}

async function picture(note, frame) {
  try {
    const url = await shelf.load(note.photo);
    if (url) await show(url, frame);
    else frame.textContent = '';
  } catch {
    frame.textContent = '';
  }
}

const authors = await optional(api.get('/api/notes/authors'), []);
if (!authors.length) console.info('notes: only your own');
const { notes } = await api.get('/api/notes');
const shown = notes.map((note) => ({ note, ...entry(note) }));
$('#notes').append(...shown.map(({ card }) => card));
await Promise.all(shown.filter(({ note }) => note.photo).map(({ note, frame }) => picture(note, frame)));
say(`${notes.length} notes, ${shelf.urls.size} photographs`);
addEventListener('pagehide', () => shelf.release());
