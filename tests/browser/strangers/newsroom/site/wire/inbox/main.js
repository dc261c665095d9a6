import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Inbox } from './inbox.js';

const inbox = new Inbox($('#list'));
inbox.addEventListener('choose', async ({ detail: id }) => {
  const item = await http.get(`/api/wire/items/${id}`);
  fill('#item', h('h2', {}, item.slug), h('p', {}, item.text), h('p', { className: 'muted' }, item.agency));
});
inbox.show((await http.get('/api/wire/items')).items);
