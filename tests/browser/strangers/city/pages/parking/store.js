import { api } from '/lib/api.js';

const listeners = new Set();
let state = { permits: [], message: '' };

export const getState = () => state;
export const subscribe = (fn) => listeners.add(fn);

function set(patch) {
  state = { ...state, ...patch };
  listeners.forEach((fn) => fn(state));
}

export async function loadPermits() {
  const { permits } = await api('/api/parking/permits');
  set({ permits });
}

export async function renew(id) {
  await api(`/api/parking/permits/${id}`, { method: 'PUT', body: { months: 12 } });
  await loadPermits();
  set({ message: 'Your permit was renewed.' });
}
