import { getJson } from '/lib/http.js';

export class Finder {
  #running = null;
  async find(q) {
    this.#running?.abort();
    const mine = (this.#running = new AbortController());
    try {
      const { contacts } = await getJson(`/api/contacts?q=${encodeURIComponent(q)}`, { signal: mine.signal });
      return mine === this.#running ? contacts : null;
    } catch (error) {
      if (error.name === 'AbortError') return null;
      throw error;
    }
  }
}
