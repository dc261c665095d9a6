import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';
import { createStore } from './lib/store.js';
import { openingOf } from './opening.js';

const store = createStore({ opening: null });

store.subscribe(({ opening }) => {
  if (!opening) return;
  $('#today').textContent = opening.open ? `Open from ${opening.from} until ${opening.until}` : 'The museum is closed today.';
  fill('#sale', opening.open
    ? h('a', { href: '/museum/tickets', class: 'button' }, 'Buy tickets for today')
    : h('span', { class: 'quiet' }, 'Tickets for the day are sold on opening days only.'));
});

openingOf(new Date()).then((opening) => store.set({ opening }));
get('/museum/api/getting-here').then(({ lines }) => fill('#way', lines.map((line) => h('li', {}, line))));
