import { Client, api } from '../shared/client.js';
import { createStore } from '../shared/store.js';
import { log } from '../shared/log.js';

const offers = new Client({ base: '/api/subscriptions', timeout: 1500 });

const initial = { packages: [], chosen: null, phase: 'idle', quotes: [] };

function reduce(state, action) {
  switch (action.type) {
    case 'packages': return { ...state, packages: action.packages };
    case 'choose': return { ...state, chosen: action.key, phase: 'asking', quotes: [] };
    case 'quotes': return { ...state, phase: 'ready', quotes: action.quotes };
    case 'none': return { ...state, phase: 'ready', quotes: [] };
    default: return state;
  }
}

const store = createStore(reduce, initial);

const actions = {
  async open() {
    const { packages } = await api.get('/subscriptions/packages');
    store.dispatch({ type: 'packages', packages });
  },
  async choose(key) {
    store.dispatch({ type: 'choose', key });
    try {
      const { quotes } = await offers.post('/quote', { package: key, persons: 2 });
      store.dispatch({ type: 'quotes', quotes });
    } catch (error) {
      if (error.status === 404) log.warn('package is not sold any more', key);
      store.dispatch({ type: 'none' });
    }
  },
};

function card(item, state) {
  const el = document.createElement('div');
  el.className = 'card';
  el.innerHTML = '<h3></h3><p></p><button type="button">Show prices</button><div class="quotes"></div>';
  el.querySelector('h3').textContent = `${item.name} (${item.evenings} evenings)`;
  el.querySelector('p').textContent = item.text;
  const button = el.querySelector('button');
  button.dataset.key = item.key;
  button.id = `ask-${item.key}`;
  if (state.chosen === item.key) el.querySelector('.quotes').append(quotes(state));
  return el;
}

function quotes(state) {
  const p = document.createElement('p');
  if (state.phase === 'asking') p.textContent = 'One moment, we look for the best seats ...';
  else if (!state.quotes.length) p.textContent = 'For this subscription we have no seats to offer at present.';
  else p.textContent = state.quotes.map((q) => `${q.category}: ${q.total} EUR`).join(', ');
  return p;
}

const host = document.querySelector('#packages');
store.subscribe((state) => host.replaceChildren(...state.packages.map((item) => card(item, state))));
host.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-key]');
  if (button) actions.choose(button.dataset.key);
});

actions.open().catch((error) => log.warn('packages', error));
