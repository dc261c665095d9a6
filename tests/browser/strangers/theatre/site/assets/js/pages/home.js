import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

const ahead = new AbortController();

/** Asks for what will likely be opened next, while nobody needs the line. */
function lookAhead() {
  fetch('/api/prefetch', { signal: ahead.signal, priority: 'low' }).catch(() => { /* only a wish */ });
  setTimeout(() => ahead.abort(), 400);
}

function teaser(item) {
  const card = document.createElement('div');
  card.className = 'card';
  const img = new Image(96, 54);
  img.alt = '';
  img.onerror = () => { img.onerror = null; img.src = '/media/stage-1.svg'; };
  img.src = item.id === 17 ? '/media/teaser-17.jpg' : `/media/stage-${item.id}.svg`;
  const title = document.createElement('strong');
  title.textContent = ` ${item.title}, ${item.next}`;
  card.append(img, title);
  return card;
}

async function begin() {
  const { items } = await api.get('/teasers');
  document.querySelector('#teasers').replaceChildren(...items.map(teaser));
  lookAhead();
  const banner = await fetch('/api/banners/current');
  if (banner.status === 404) log.note('no banner today');
  console.warn('[theatre] touch events are passive: preventDefault is ignored');
}

begin().catch((error) => log.warn('home', error));
