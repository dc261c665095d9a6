import { http } from '/lib/http.js';
import { h, fill } from '/lib/dom.js';

export class Board {
  #target;
  #rows = [];
  constructor(target) {
    this.#target = target;
  }
  async load(station) {
    const board = await http.get(`/api/board/departures?station=${station}`);
    this.#rows = board.departures ?? [];
    this.#draw();
  }
  #draw() {
    fill(this.#target, this.#rows.length
      ? this.#rows.map((row) => h('tr', {}, ...['at', 'no', 'to', 'gate'].map((name) => h('td', {}, row[name]))))
      : h('tr', {}, h('td', { colSpan: 4 }, 'No departures in the next three hours.')));
  }
}
