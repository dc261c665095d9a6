import { api } from '/lib/api.js';

const PLACEHOLDER = '/news/media/placeholder.svg';

function image(src) {
  const img = new Image(80, 50);
  img.alt = '';
  img.onerror = () => { img.onerror = null; img.src = PLACEHOLDER; };
  img.src = src || PLACEHOLDER;
  return img;
}

const { items } = await api('/api/news');
for (const item of items) {
  const p = document.createElement('p');
  p.append(image(item.image), ' ', item.title);
  document.querySelector('#news').append(p);
}
