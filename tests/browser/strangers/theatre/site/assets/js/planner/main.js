import { api } from '../shared/client.js';
import { log } from '../shared/log.js';
import { keepPosters } from './offline.js';
import { Plans } from './plans.js';

const plans = new Plans();
const evenings = document.querySelector('#evenings');
const mine = document.querySelector('#mine');
const known = new Map();

function option(item) {
  const card = document.createElement('div');
  card.className = 'card row';
  const title = document.createElement('span');
  title.textContent = `${item.next} ${item.title}`;
  const button = document.createElement('button');
  button.textContent = 'Add to my season';
  button.id = `add-${item.id}`;
  button.dataset.add = item.id;
  card.append(title, button);
  return card;
}

function show(list) {
  if (!list.length) {
    mine.innerHTML = '<p class="muted">Your season is still empty.</p>';
    return;
  }
  mine.replaceChildren(...list.map((item) => {
    const p = document.createElement('p');
    p.textContent = `${item.next} ${item.title}`;
    return p;
  }));
}

plans.on('change', show);

evenings.addEventListener('click', (event) => {
  const id = event.target.dataset.add;
  if (!id) return;
  plans.add(known.get(Number(id)));
});

async function begin() {
  show(plans.all());
  const { items } = await api.get('/programme?genre=all');
  items.forEach((item) => known.set(item.id, item));
  await keepPosters();
  evenings.replaceChildren(...items.map(option));
  document.querySelector('#state').textContent = 'Ready for evenings without a network.';
  const shared = await fetch('/api/planner/shared-with-me');
  if (!shared.ok) log.warn('nothing is shared with you');
}

begin().catch((error) => log.warn('planner', error));
