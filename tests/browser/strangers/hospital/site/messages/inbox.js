import { getJSON } from '/lib/http.js';
import { h } from '/lib/ui.js';

const list = document.getElementById('messages');
const add = (message) => list.prepend(h('li', null, h('strong', null, message.from), ` ${message.at} – ${message.text}`));

export async function openInbox() {
  const [messages, { unread }] = await Promise.all([getJSON('/api/messages'), getJSON('/api/messages/unread')]);
  document.getElementById('unread').textContent = `${unread} unread`;
  messages.slice().reverse().forEach(add);

  const live = new EventSource('/api/messages/stream');
  live.onmessage = (event) => add(JSON.parse(event.data));
  live.onerror = () => { /* the browser connects again by itself */ };
}
