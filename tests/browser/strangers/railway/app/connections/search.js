import { getJson } from '/lib/net.js';

export class ConnectionSearch extends EventTarget {
  #running = null;
  #asked = null;

  get asked() { return this.#asked; }

  async find(from, to) {
    this.leave();
    const running = this.#running = new AbortController();
    this.#asked = { from, to };
    this.#tell('begin', this.#asked);
    let connections = [];
    try {
      const query = new URLSearchParams({ from, to });
      ({ connections } = await getJson(`/api/connections?${query}`, { signal: running.signal }));
    } catch (error) {
      if (error.name !== 'AbortError') console.warn('[search]', error.message);
    } finally {
      this.#tell('found', connections);
    }
  }

  /** Whoever goes to another view is not interested any more. */
  leave() {
    this.#running?.abort();
    this.#running = null;
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}
