import { $, clock, fill, row } from '../lib/ui.js';

const docks = new Map();
let tries = 0;

function connect() {
  const socket = new WebSocket(`ws://${location.host}/ws/yard`);
  socket.onopen = () => {
    tries = 0;
    $('#link').textContent = 'live';
    socket.send(JSON.stringify({ type: 'subscribe', topic: 'yard' }));
  };
  socket.onmessage = ({ data }) => {
    const { topic, body } = JSON.parse(data);
    if (topic !== 'yard') return;
    docks.set(body.dock, body);
    fill($('#docks'), [...docks.values()].sort((a, b) => a.dock - b.dock).map((d) => row(d.dock, d.plate, clock(d.at))));
  };
  socket.onclose = (event) => {
    console.warn(`yard socket closed (${event.code} ${event.reason}), again in ${300 * 2 ** tries} ms`);
    $('#link').textContent = 'connecting';
    setTimeout(connect, 300 * 2 ** tries++);
  };
}

connect();
