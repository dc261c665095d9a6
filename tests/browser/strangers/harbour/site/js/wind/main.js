import { api } from '/js/core/api.js';
import { $ } from '/js/core/dom.js';
import { WindRose } from './rose.js';

const rose = new WindRose($('#rose'), $('#rose-state'));

async function station() {
  const now = await api.get('/weather/now');
  for (const name of ['air', 'water', 'wind', 'pressure']) $(`#${name}`).textContent = now[name];
}

async function outlook() {
  const { text } = await api.get('/weather/outlook');
  $('#outlook').textContent = text;
}

async function history() {
  const { samples } = await api.get('/weather/samples');
  await rose.show(samples);
}

await Promise.allSettled([station(), outlook(), history()]);
