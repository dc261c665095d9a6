export class Store extends EventTarget {
  #state = { courses: {}, mine: [] };
  get state() { return this.#state; }
  set(patch) { this.#state = { ...this.#state, ...patch }; this.dispatchEvent(new Event('change')); }
}
