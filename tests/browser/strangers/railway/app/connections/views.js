import { $ } from '/lib/dom.js';

const VIEWS = ['list', 'tips'];

export class Views {
  #leave;

  constructor(leave) {
    this.#leave = leave;
    addEventListener('hashchange', () => this.#enter(location.hash.slice(1)));
  }

  go(name) { location.hash = name; }

  #enter(name) {
    if (!VIEWS.includes(name)) return;
    this.#leave();
    for (const view of VIEWS) $('#' + view).hidden = view !== name;
  }
}
