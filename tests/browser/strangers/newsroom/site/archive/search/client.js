import { latest } from '/lib/abortable.js';

const json = (path, signal) => fetch(path, { signal }).then((response) => response.json());
export const suggest = latest((signal, q) => json(`/api/archive/suggest?q=${encodeURIComponent(q)}`, signal));
const find = latest((signal, q) => json(`/api/archive/search?q=${encodeURIComponent(q)}`, signal), { limit: 1200 });

export async function search(q) {
  try {
    return await find(q);
  } catch (error) {
    if (error.name === 'AbortError') return { total: 0, hits: [] }; // a newer search has taken over
    throw error;
  }
}
