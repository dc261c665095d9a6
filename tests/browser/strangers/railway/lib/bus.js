export class Bus {
  #handlers = new Map();

  on(topic, handler) {
    if (!this.#handlers.has(topic)) this.#handlers.set(topic, []);
    this.#handlers.get(topic).push(handler);
    return () => {
      const list = this.#handlers.get(topic);
      list.splice(list.indexOf(handler), 1);
    };
  }

  emit(topic, payload) {
    for (const handler of this.#handlers.get(topic) ?? []) handler(payload);
  }
}

export const bus = new Bus();
