/** State in one place; reactions run when what they look at has changed. */
export class Store {
  #state;
  #reactions = [];

  constructor(state) {
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  commit(patch) {
    this.#state = { ...this.#state, ...patch };
    for (const reaction of this.#reactions) reaction();
  }

  react(select, run) {
    let seen;
    const reaction = () => {
      const now = select(this.#state);
      if (now === seen) return;
      seen = now;
      run(now, this.#state);
    };
    this.#reactions.push(reaction);
    reaction();
  }
}
