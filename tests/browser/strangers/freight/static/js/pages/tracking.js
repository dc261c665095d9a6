import { LiveSocket } from '../lib/live-socket.js';
import { $, clock, fill, row } from '../lib/ui.js';

const vehicles = new Map();
const link = $('#link');
const socket = new LiveSocket('/ws/positions');

function render() {
  const sorted = [...vehicles.values()].sort((a, b) => a.plate.localeCompare(b.plate));
  fill($('#vehicles'), sorted.map((v) => row(v.plate, v.road, v.togo.toFixed(1), clock(v.at))));
}

socket.onstate = (state) => {
  link.textContent = state;
  link.classList.toggle('on', state === 'live');
};

socket.subscribe('fleet.north', (position) => {
  vehicles.set(position.plate, position);
  render();
});
