export class Emitter {
  #handlers = new Map();
  on(name, handler) {
    if (!this.#handlers.has(name)) this.#handlers.set(name, new Set());
    this.#handlers.get(name).add(handler);
    return () => this.#handlers.get(name).delete(handler);
  }
  emit(name, value) {
    for (const handler of [...(this.#handlers.get(name) || [])]) handler(value);
  }
}
export const bus = new Emitter();
