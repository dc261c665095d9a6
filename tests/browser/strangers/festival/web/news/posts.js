import { getJson } from '/assets/lib/http.js';
import { $, safe } from '/assets/lib/dom.js';

const { posts } = await getJson('/api/news/posts');
$('#posts').innerHTML = posts.map(post => `<article class="card"><h3>${safe(post.title)}</h3><p>${safe(post.text)}</p></article>`).join('');

getJson('/api/news/comments/count').catch(error => console.warn('news: no comments shown,', error.message));
console.warn('news: the layout "wide" is deprecated and goes in 2027');
