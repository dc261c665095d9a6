import { getJson } from '/lib/http.js';
import { $, el } from '/lib/ui.js';
import { createStore } from '/lib/store.js';
import '/lib/metrics.js';
import { updates } from './updates.js';

const store = createStore({ messages: [], online: [] });

store.watch(({ messages, online }) => {
  $('#count').textContent = `${messages.length} messages`;
  $('#messages').replaceChildren(...messages.map((one) => el('li', {}, `${one.from}: ${one.text}`)));
  $('#online').textContent = online.length ? `Online: ${online.join(', ')}` : '';
});

getJson('/api/inbox/presence').then(({ online }) => store.set({ online }));
for await (const fresh of updates(900)) {
  store.set({ messages: [...store.get().messages, ...fresh] });
}
