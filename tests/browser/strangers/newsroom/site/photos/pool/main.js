import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Tip } from './tips.js';

const { photos } = await http.get('/api/photos/pool');
const begun = Date.now();

function render() {
  const seconds = Math.round((Date.now() - begun) / 1000);
  $('#clock').textContent = `${photos.length} pictures, open for ${seconds} s`;
  fill('#pool', photos.map((photo) => {
    const card = h('div', { className: 'card' }, photo.caption, h('div', { className: 'muted' }, `${seconds} s in the pool`));
    new Tip(card, photo);
    return card;
  }));
}
render();
setInterval(render, 600);
