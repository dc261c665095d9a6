import { api, optional, ApiError } from '/assets/lib/api.js';
import { $, h, fill, say } from '/assets/lib/dom.js';

async function mine() {
  try {
    const { posts } = await api.get('/api/board/mine');
    return posts;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return []; // guests have none
    throw error;
  }
}

async function aside() {
  const picture = await optional(api.get('/api/board/weekly-picture', {}, { signal: AbortSignal.timeout(9000) }));
  if (picture) $('#aside').textContent = picture.caption;
}

const [{ posts }, own] = await Promise.all([api.get('/api/board'), mine()]);
fill($('#posts'), [...own, ...posts].map((post) => h('article', { class: 'card' },
  h('h2', {}, post.title), h('p', {}, post.text), h('p', { class: 'muted' }, post.by))));
say(`${posts.length} notices`);
$('#write').addEventListener('click', () => { $('#form').hidden = !$('#form').hidden; });
aside();
