import { $, h, fill, row } from './lib/dom.js';
import { get, post } from './lib/http.js';

const count = (n) => { $('#count').textContent = n ? `${n} ${n === 1 ? 'article' : 'articles'}` : 'empty'; };

async function add(article, button) {
  button.disabled = true;
  try {
    await post('/museum/api/basket/items', { article });
    count((await get('/museum/api/basket')).count);
  } finally {
    button.disabled = false;
  }
}

const articles = await get('/museum/api/shop/articles');
fill('#articles', articles.map((article) => row(article.name, `€ ${article.price}`,
  h('button', { 'data-add': article.id, onclick: (event) => add(article.id, event.currentTarget) }, 'Into the basket'))));
