import { Layer, ShipMark, AreaMark } from './layers.js';

export class Chart {
  constructor(host) {
    this.host = host;
    this.layers = { areas: null, ships: null };
  }

  scale() {
    return this.host.clientWidth / 720;
  }

  #swap(name, marks) {
    const next = new Layer(this, name);
    marks.forEach((mark) => next.add(mark));
    this.layers[name]?.hide();
    this.layers[name] = next;
  }

  areas(list) {
    this.#swap('areas', list.map((area) => new AreaMark(area)));
  }

  ships(list) {
    this.#swap('ships', list.map((target) => new ShipMark(target)));
  }
}
