import './costume-card.js';
import { Fundus } from './fundus.js';
import { log } from '../shared/log.js';

const host = document.querySelector('#costumes');
const message = document.querySelector('#message');
const fundus = new Fundus(document.querySelector('meta[name=fundus]').content);
const cards = new Map();

function place(costume) {
  let card = cards.get(costume.id);
  if (!card) {
    card = document.createElement('costume-card');
    card.id = `costume-${costume.id}`;
    cards.set(costume.id, card);
    host.append(card);
  }
  card.value = costume;
}

async function optimistic(before, after, work) {
  place(after);
  try {
    await work();
    message.textContent = `${after.name} is yours.`;
  } catch (error) {
    place(before);
    message.textContent = 'Someone was faster: this costume could not be reserved.';
    log.note('costume', before.id, error);
  }
}

host.addEventListener('reserve', ({ detail: costume }) => {
  const production = document.querySelector('#production').value;
  message.textContent = '';
  optimistic(costume, { ...costume, reservedFor: production }, () => fundus.reserve(costume, production));
});

document.querySelector('#first').addEventListener('click', () => {
  const card = host.querySelector('costume-card');
  if (card) card.shadowRoot.querySelector('button').click();
});

(async function begin() {
  const [costumes, houses] = await Promise.all([fundus.list(), fundus.houses()]);
  costumes.forEach(place);
  document.querySelector('#houses').textContent = `From: ${houses.join(', ')}`;
  const washing = await fetch('/api/laundry/today');
  if (!washing.ok) log.warn('laundry list is not there');
})();
