import { $, h, fill, row } from './lib/dom.js';
import { get } from './lib/http.js';

const [summary, articles] = await Promise.all([get('/museum/api/checkout/summary'), get('/museum/api/shop/articles')]);
const lines = summary.lines.map((id) => articles.find((article) => article.id === id));

if (lines.length) {
  fill('#lines', lines.map(({ name, price }) => row(name, `€ ${price}`)));
  $('#sum').textContent = `€ ${lines.reduce((sum, { price }) => sum + price, summary.shipping)}`;
  $('#pay').disabled = false;
} else {
  fill('#lines', h('p', { class: 'notice' }, 'Your basket is empty. ', h('a', { href: '/museum/shop' }, 'Back to the shop')));
}
