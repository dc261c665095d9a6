import { Emitter } from '../shared/emitter.js';

/** Addresses of views; a view lives until the address says something else. */
export class Router extends Emitter {
  constructor() {
    super();
    this.current = location.search;
    window.addEventListener('popstate', () => this.changed());
  }

  go(parameters) {
    const query = new URLSearchParams(parameters).toString();
    history.replaceState({}, '', query ? `?${query}` : location.pathname);
    this.changed();
  }

  changed() {
    if (location.search === this.current) return;
    this.emit('leave', this.current);
    this.current = location.search;
    this.emit('enter', this.current);
  }
}

/** What ends with a view: its requests. */
export class Scope {
  constructor(router) {
    this.begin();
    router.on('leave', () => this.end());
  }
  begin() { this.control = new AbortController(); }
  end() { this.control.abort(); this.begin(); }
  get signal() { return this.control.signal; }
}
