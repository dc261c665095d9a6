import { getJson } from '/lib/http.js';
import { $, el, list } from '/lib/ui.js';
import { Line } from '/lib/line.js';
import '/lib/metrics.js';

const line = new Line('/ws/room');
let open = null;

line.bus.on('hello', () => { $('#state').textContent = 'online'; });
line.bus.on('close', () => { $('#state').textContent = 'offline'; });
line.bus.on('history', ({ room, messages }) => { if (room === open) show(messages); });

function show(messages) {
  list($('#messages'), messages, (one) => `${one.from}: ${one.text}`, 'No messages yet. Say hello!');
}

function enter(room) {
  open = room.id;
  $('#name').textContent = room.name;
  show([]);
  line.say({ type: 'subscribe', room: room.id });
}

const { rooms } = await getJson('/api/rooms');
for (const room of rooms) {
  $('#rooms').append(el('button', { id: `room-${room.id}`, onclick: () => enter(room) }, room.unread ? `${room.name} (${room.unread} new)` : room.name));
}
