import { api, optional } from '/assets/lib/api.js';
import { $, h, fill } from '/assets/lib/dom.js';

const PEOPLE = [['holt', 'Maren Holt'], ['postle', 'Cora Postle'], ['rana', 'Dilip Rana']];

function portrait([id, name]) {
  const letters = h('span', { class: 'muted' }, name.split(' ').map((word) => word[0]).join(''));
  const picture = h('img', { src: `/media/people/${id}.svg`, alt: name, width: 64, onerror: (event) => event.target.replaceWith(letters) });
  return h('figure', { class: 'card' }, picture, h('figcaption', {}, name));
}

async function banner() {
  const text = await api.get('/api/front/banner');
  $('#banner').hidden = !text;
}

function preferences() {
  try {
    return JSON.parse(localStorage.getItem('orchard.home') ?? '{}');
  } catch {
    return {};
  }
}

if (!preferences().seen) console.warn('[home] "compact" layout is deprecated, "cards" is used instead');
const { tiles } = await api.get('/api/home');
fill($('#tiles'), tiles.map((tile) => h('div', { class: 'card' }, h('div', { class: 'total' }, tile.value), tile.name)));
fill($('#people'), PEOPLE.map(portrait));
await Promise.all([banner(), optional(api.get('/api/front/anniversaries'))]);
localStorage.setItem('orchard.home', JSON.stringify({ seen: true }));
