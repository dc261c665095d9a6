import { Router, Scope } from './router.js';
import { ProgrammeModel } from './model.js';
import { log } from '../shared/log.js';

const router = new Router();
const scope = new Scope(router);
const model = new ProgrammeModel(scope);

const list = document.querySelector('#list');
const bar = document.querySelector('#genres');

model.on('genres', (genres) => {
  bar.replaceChildren(...genres.map((genre) => {
    const button = document.createElement('button');
    button.id = `genre-${genre.key}`;
    button.dataset.genre = genre.key;
    button.textContent = genre.label;
    return button;
  }));
});

model.on('change', ({ busy, items }) => {
  if (busy) {
    list.innerHTML = '<p class="spin">Looking through the season ...</p>';
    return;
  }
  list.replaceChildren(...items.map((item) => {
    const card = document.createElement('div');
    card.className = 'card';
    card.innerHTML = '<strong></strong><div class="muted"></div>';
    card.querySelector('strong').textContent = item.title;
    card.querySelector('div').textContent = `${item.by}, ${item.house}, next on ${item.next}`;
    return card;
  }));
});

model.on('filter', (filter) => router.go(filter));
model.on('problem', (error) => {
  log.warn('programme', error);
  list.innerHTML = '<p>The programme cannot be shown just now.</p>';
});

router.on('enter', (query) => window.insights && window.insights.hit('filter', query));

bar.addEventListener('click', (event) => {
  const button = event.target.closest('[data-genre]');
  if (button) model.setGenre(button.dataset.genre);
});

model.genres();
model.load();
fetch('/api/programme/teaser-video.json').then((r) => r.ok && r.json()).then((video) => {
  if (video) document.querySelector('#teaser').src = video.src;
});
