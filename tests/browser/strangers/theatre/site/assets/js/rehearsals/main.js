import { bus } from '../shared/emitter.js';
import { log } from '../shared/log.js';
import { Session } from './session.js';
import { Plan, Rooms } from './plan.js';

const session = new Session();
const plan = new Plan(session);

const view = {
  week: document.querySelector('#week'),
  list: document.querySelector('#plan'),
  rooms: document.querySelector('#rooms'),
};

function line(item) {
  const row = document.createElement('tr');
  for (const text of [item.time, item.what, item.room]) {
    const cell = document.createElement('td');
    cell.textContent = text;
    row.append(cell);
  }
  return row;
}

bus.on('plan', ({ week, items }) => {
  view.week.textContent = `Week ${week}`;
  if (!items.length) {
    view.list.innerHTML = '<tr><td class="muted">No rehearsals for you this week. Enjoy the free days!</td></tr>';
    return;
  }
  view.list.replaceChildren(...items.map(line));
});

bus.on('rooms', (rooms) => {
  view.rooms.textContent = rooms.map((room) => `${room.name}: ${room.busy} h`).join(' | ');
});

document.querySelector('#before').addEventListener('click', () => plan.move(-1));
document.querySelector('#after').addEventListener('click', () => plan.move(1));

(async () => {
  new Rooms().load().catch((error) => log.warn('rooms', error));
  await session.begin();
  await plan.load();
  const board = await fetch('/api/board/notices');
  if (!board.ok) log.warn('no notices on the board', board.status);
})();
