import { createStore } from '/lib/store.js';
import { getJson } from '/lib/net.js';

export const model = createStore({ filter: { kind: 'all' }, rows: [], busy: false, at: '' });

export async function load(filter) {
  model.set({ busy: true });
  const { departures, at } = await getJson('/api/departures?kind=' + filter.kind);
  model.set({ rows: departures, at, busy: false, filter: { ...filter } });
}

/** Calls back when what `pick` takes out of the state is another one. */
export function whenChanged(pick, callback) {
  let last;
  return model.subscribe(state => {
    const now = pick(state);
    if (now === last) return;
    last = now;
    callback(now);
  });
}
