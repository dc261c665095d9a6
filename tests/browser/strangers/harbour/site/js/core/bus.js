export class Bus {
  #heard = new Map();

  on(name, listener) {
    if (!this.#heard.has(name)) this.#heard.set(name, new Set());
    this.#heard.get(name).add(listener);
    return () => this.#heard.get(name).delete(listener);
  }

  emit(name, detail) {
    for (const listener of this.#heard.get(name) ?? []) listener(detail);
  }
}

export function createStore(initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...(typeof patch === 'function' ? patch(state) : patch) };
      listeners.forEach((listener) => listener(state));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
