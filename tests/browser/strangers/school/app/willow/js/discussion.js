import { h } from '/assets/view.js';
import { openThread } from './socket.js';

const response = await fetch('/willow/api/threads/3');
const { thread } = await response.json();
document.querySelector('#title').textContent = thread.title;

openThread(thread.id, {
  status(text) { document.querySelector('#status').textContent = text; },
  created(message) {
    document.querySelector('#messages').append(h('li', {}, h('strong', {}, message.author), `: ${message.text}`));
  },
});
setInterval(() => { document.querySelector('#clock').textContent = new Date().toLocaleTimeString(); }, 1000);
