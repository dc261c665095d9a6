import { api } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';

const ahead = {
  running: null,
  start(sheet) {
    this.running = new AbortController();
    fetch(`/api/gallery/sheet/${sheet}`, { signal: this.running.signal, priority: 'low' }).catch(() => {});
  },
  stop() {
    this.running?.abort();
  },
};

function thumbnail(picture) {
  const image = h('img', { alt: picture.title, width: 200, height: 120, src: picture.src.replace('.svg', '@2x.svg') });
  image.addEventListener('error', () => { image.src = picture.src; }, { once: true });
  return h('figure', { id: `pic-${picture.id}`, onclick: () => enlarge(picture) }, image, h('figcaption', {}, picture.title));
}

function enlarge(picture) {
  ahead.stop();
  fill($('#large'), h('img', { alt: picture.title, src: picture.src, width: 600 }), h('p', {}, picture.title));
}

async function pictures() {
  const { pictures: list } = await api.get('/gallery');
  fill($('#pictures'), list.map(thumbnail));
  ahead.start(2);
}

async function related() {
  const { links } = await api.get('/gallery/related');
  fill($('#related'), links.map((text) => h('li', {}, text)));
}

async function visitors() {
  const { now } = await api.get('/gallery/visitors');
  $('#visitors').textContent = `${now} people look at this page`;
  setTimeout(visitors, 1500);
}

pictures();
related();
visitors();
