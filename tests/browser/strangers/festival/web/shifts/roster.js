import { getJson } from '/assets/lib/http.js';

export class Roster extends EventTarget {
  #shifts = [];

  get shifts() { return this.#shifts; }

  async load() {
    try {
      ({ shifts: this.#shifts } = await getJson('/api/crew/shifts', { credentials: 'same-origin' }));
    } catch (error) {
      this.#shifts = [];
    }
    this.dispatchEvent(new Event('loaded'));
  }
}
