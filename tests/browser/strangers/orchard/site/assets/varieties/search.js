/** Looks up while someone types; what is not wanted any more is called off. */
export class Search {
  #control = null;
  #timer = null;

  constructor(show, { delay = 60 } = {}) {
    this.show = show;
    this.delay = delay;
  }

  type(text) {
    clearTimeout(this.#timer);
    this.#control?.abort();
    if (!text.trim()) return this.show({ q: '', hits: [] });
    this.#timer = setTimeout(() => this.#ask(text.trim()), this.delay);
  }

  async #ask(text) {
    const control = new AbortController();
    this.#control = control;
    try {
      const response = await fetch(`/api/varieties?q=${encodeURIComponent(text)}`, { signal: control.signal });
      const found = await response.json();
      if (this.#control === control) this.show(found);
    } catch (error) {
      if (error.name !== 'AbortError') this.show({ q: text, hits: [] });
      else console.debug(`search for "${text}" called off`);
    }
  }
}
