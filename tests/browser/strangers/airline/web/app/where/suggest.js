import { http } from '/lib/http.js';

export function createSuggest(show) {
  let running = null;
  return async (q) => {
    running?.abort();
    running = new AbortController();
    try {
      const { places } = await http.get(`/api/places?q=${encodeURIComponent(q)}`, { signal: running.signal });
      show(places);
    } catch (error) {
      if (error.name === 'AbortError') return console.debug('suggest: newer letters');
      throw error;
    }
  };
}
