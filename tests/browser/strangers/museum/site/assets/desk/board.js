import { $, h, fill } from '../lib/dom.js';
import { get } from '../lib/http.js';

function follow(wait = 400) {
  const socket = new WebSocket(`ws://${location.host}/museum/live/board`);
  socket.onopen = () => { $('#line').textContent = 'live'; };
  socket.onmessage = ({ data }) => {
    const { inside, lockers } = JSON.parse(data);
    $('#inside').textContent = inside;
    $('#lockers').textContent = lockers;
  };
  socket.onclose = ({ code }) => {
    console.warn(`board: line closed (${code}), again in ${wait} ms`);
    $('#line').textContent = 'connecting again …';
    setTimeout(follow, wait, Math.min(wait * 2, 10000));
  };
}

async function messages() {
  try {
    const { messages: list } = await get('/museum/api/board/messages');
    fill('#messages', list.length ? list.map((text) => h('p', { class: 'notice' }, text)) : h('p', { class: 'quiet' }, 'No messages.'));
  } catch {
    // shown again with the next round
  }
  setTimeout(messages, 1000);
}

follow();
messages();
