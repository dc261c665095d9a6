import { bus } from '/lib/bus.js';
import { h } from '/lib/dom.js';

/** The line in the middle of the screen: every word in a box of its own, for the flip effect. */
export class Ticker {
  #box;
  #current = null;

  constructor(box) {
    this.#box = box;
    bus.on('line', line => this.#turn(line));
  }

  #turn(line) {
    const panel = h('p', { class: 'panel' }, line.split(' ').map(word => [h('b', {}, word), ' ']));
    const fit = () => { panel.style.fontSize = innerWidth > 900 ? '1.6rem' : '1.2rem'; };
    addEventListener('resize', fit);
    fit();
    this.#current?.classList.add('past');
    this.#box.append(panel);
    this.#current = panel;
  }
}
