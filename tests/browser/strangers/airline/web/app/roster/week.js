import { http } from '/lib/http.js';
import { createStore } from '/lib/store.js';

export const week = createStore({ filter: { base: 'BGO' }, people: [], busy: true });

export async function loadWeek(filter) {
  const { people } = await http.get(`/api/roster/week?base=${filter.base}`);
  week.set({ people, busy: false, filter: { ...filter } });
}

export function watchFilter() {
  let last = null;
  week.subscribe(({ filter }) => {
    if (filter === last) return;
    last = filter;
    week.set({ busy: true });
    loadWeek(filter);
  });
}
