import { h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';

export function suggestFor(input, list) {
  let last;
  input.addEventListener('input', async () => {
    last?.abort();
    last = new AbortController();
    try {
      const { stations } = await getJson('/api/stations?q=' + encodeURIComponent(input.value), { signal: last.signal });
      list.replaceChildren(...stations.map(name => h('option', { value: name })));
    } catch { /* typed on */ }
  });
}
