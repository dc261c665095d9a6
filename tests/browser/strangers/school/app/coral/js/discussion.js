import { h } from '/assets/view.js';
import { openThread } from './socket.js';

const list = document.querySelector('#messages');
const empty = document.querySelector('#empty');

const response = await fetch('/coral/api/threads/3');
const { thread } = await response.json();
document.querySelector('#title').textContent = thread.title;

openThread(thread.id, {
  status(text) { document.querySelector('#status').textContent = text; },
  created(message) {
    empty.hidden = true;
    list.append(h('li', { id: `m${message.id}` }, h('strong', {}, message.author), `: ${message.text}`));
  },
  deleted(id) { document.querySelector(`#m${id}`)?.remove(); },
});
