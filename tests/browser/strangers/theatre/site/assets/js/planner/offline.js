import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

const PREFIX = 'theatre:poster:';

/** Posters for evenings without a network. As many as there is room for. */
export async function keepPosters() {
  const { posters } = await api.get('/posters');
  for (const { id } of posters) {
    if (localStorage.getItem(PREFIX + id)) continue;
    const poster = await api.get(`/posters/${id}`);
    try {
      localStorage.setItem(PREFIX + id, JSON.stringify(poster));
    } catch (error) {
      log.note('posters kept until', id);
      return;
    }
  }
}

export async function posterOf(id) {
  const kept = localStorage.getItem(PREFIX + id);
  return kept ? JSON.parse(kept) : api.get(`/posters/${id}`);
}
