import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';

const { pictures } = await http.get('/api/gallery/day');
fill('#pictures', pictures.map((one) => h('figure', {}, h('img', { src: one.src, alt: one.caption, width: 160, height: 90 }),
  h('figcaption', {}, one.caption))));

// the picture store's counter does not name our origin; it counts all the same
fetch('http://127.0.0.1:@@MEDIA@@/count?page=gallery').catch(() => console.warn('gallery: count could not be read'));

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch (error) {
    console.warn(`gallery: ${key} is too large to be kept (${error.name})`);
    return false;
  }
}
keep('gallery:full', 'x'.repeat(6000000));
if (keep('gallery:small', JSON.stringify(pictures))) $('#offline').textContent = 'Captions can be read offline.';
