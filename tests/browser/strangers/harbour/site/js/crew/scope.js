/** Something that lives for a while: what it began ends with it. */
export class Scope {
  #controller = new AbortController();
  #ends = [];

  get signal() {
    return this.#controller.signal;
  }

  listen(target, name, handler) {
    target.addEventListener(name, handler, { signal: this.signal });
  }

  onEnd(work) {
    this.#ends.push(work);
  }

  end() {
    if (this.signal.aborted) return;
    this.#controller.abort();
    this.#ends.splice(0).forEach((work) => work());
  }
}

export async function quietly(work) {
  try {
    return await work;
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    throw error;
  }
}
