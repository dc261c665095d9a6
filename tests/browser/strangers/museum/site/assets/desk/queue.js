import { $, h, fill } from '../lib/dom.js';
import { get, post } from '../lib/http.js';
import { createStore } from '../lib/store.js';

const store = createStore({ number: 0, waiting: 0, at: 0 });

const controls = {
  call: () => post('/museum/api/queue/next', { desk: 2 }).then((state) => store.set(state)),
};

function bind(root) {
  for (const [id, action] of Object.entries(controls)) {
    root.querySelector(`#${id}`)?.addEventListener('click', () => action());
  }
}

function render({ number, waiting }) {
  $('#now').textContent = number || '–';
  $('#waiting').textContent = waiting;
  fill('#next', [1, 2, 3].filter((n) => n <= waiting).map((n) => h('li', {}, `Number ${number + n}`)));
  bind(document);
}

async function poll() {
  try {
    const state = await get('/museum/api/queue');
    store.set({ ...state, at: Date.now() });
  } catch {
    // the next round tries again
  }
  setTimeout(poll, 600);
}

store.subscribe(render);
poll();
