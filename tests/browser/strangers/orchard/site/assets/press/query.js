/** Remembers what was asked for, and tells who watches when it changes. */
export class QueryClient {
  #entries = new Map();

  keyOf(path, query = {}) {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    return search ? `${path}?${search}` : path;
  }

  #entry(key) {
    if (!this.#entries.has(key)) this.#entries.set(key, { promise: null, watchers: new Set() });
    return this.#entries.get(key);
  }

  fetch(path, query) {
    const key = this.keyOf(path, query);
    const entry = this.#entry(key);
    entry.promise ??= fetch(key, { headers: { Accept: 'application/json' } }).then((response) => {
      if (!response.ok) throw new Error(`${key}: ${response.status}`);
      return response.json();
    }).catch((error) => {
      entry.promise = null;
      throw error;
    });
    return entry.promise;
  }

  watch(path, query, show) {
    const entry = this.#entry(this.keyOf(path, query));
    const update = () => this.fetch(path, query).then(show);
    entry.watchers.add(update);
    update();
    return () => entry.watchers.delete(update);
  }

  refresh(path, query) {
    const entry = this.#entries.get(this.keyOf(path, query));
    if (!entry) return;
    entry.promise = null;
    entry.watchers.forEach((update) => update());
  }
}

export const queries = new QueryClient();
