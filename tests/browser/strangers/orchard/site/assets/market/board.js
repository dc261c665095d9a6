import { h } from '/assets/lib/dom.js';

export class QuoteBoard {
  #cells = new Map();

  constructor(body) {
    this.body = body;
  }

  rows(list) {
    for (const { code, name } of list) {
      const price = h('td', {}, '-');
      const lots = h('td', {}, '-');
      this.#cells.set(code, { price, lots });
      this.body.append(h('tr', {}, h('td', {}, code), h('td', {}, name), price, lots));
    }
  }

  quote({ code, pence, lots }) {
    const cells = this.#cells.get(code);
    if (!cells) return;
    cells.price.textContent = `${pence} p`;
    cells.lots.textContent = String(lots);
  }
}
