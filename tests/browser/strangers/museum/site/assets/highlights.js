import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

async function open(id) {
  try {
    const object = await get(`/museum/api/objects/${id}`);
    fill('#detail', h('h2', {}, object.title), h('p', {}, `${object.made} · ${object.room}`));
  } catch (error) {
    if (error.status !== 404) throw error;
    fill('#detail', h('p', { class: 'notice' }, 'This object is not on view at the moment.'));
  }
}

async function begin() {
  const { highlights } = await get('/museum/api/highlights');
  fill('#highlights', highlights.map(({ id, title }) =>
    h('div', { class: 'row' }, h('button', { 'data-object': id }, title))));
}

$('#highlights').addEventListener('click', (event) => {
  const button = event.target.closest('[data-object]');
  if (button) open(button.dataset.object);
});

begin();
