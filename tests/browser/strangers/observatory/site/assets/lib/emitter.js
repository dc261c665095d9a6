export class Emitter {
  #listeners = new Map();
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }
  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }
}
