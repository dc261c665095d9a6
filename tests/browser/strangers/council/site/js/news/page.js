import { staleWhileRevalidate } from './swr.js';
import { html, mount, $ } from '/lib/view.js';
import { day } from '/lib/format.js';

let items = new Map();
const draw = (data, state) => {
  items = new Map(data.items.map((n) => [n.id, n]));
  $('#state').textContent = state === 'kept' ? 'Looking for newer articles…' : `${data.items.length} articles, up to date`;
  mount('#list', data.items.map((n) => html`<div class="card"><a href="#${n.slug}" id="n${n.id}" data-id="${n.id}">${n.title}</a> <small class="muted">${day(n.published)}</small>
    ${n.picture && html`<br><img src="${n.picture}" width="96" height="54" loading="lazy" alt="">`}</div>`));
};

$('#list').addEventListener('click', async (event) => {
  const id = Number(event.target.dataset.id);
  if (!id) return;
  event.preventDefault();
  history.pushState({ id }, '', `#${items.get(id).slug}`);
  const a = await (await fetch(`/api/news/articles/${items.get(id).slug}`)).json();
  mount('#article', html`<h2>${a.headline}</h2><p>${a.body}</p><p class="muted">By ${a.author ?? 'the press office'}</p>`);
});
document.addEventListener('error', (e) => { if (e.target.tagName === 'IMG') e.target.remove(); }, true);

if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/news-sw.js', { scope: '/news' })
    .catch((error) => console.info('offline reading is not available', error));
}
staleWhileRevalidate('/api/news/list', draw).catch((error) => {
  console.error(error);
  $('#state').textContent = 'The news cannot be loaded. Please try again.';
});
