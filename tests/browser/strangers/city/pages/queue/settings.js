import { api } from '/lib/api.js';

export async function loadSettings() {
  const s = await api('/api/queue/settings');
  return { counter: s.counter, every: s.refreshSeconds * 1000, sound: s.sound };
}
