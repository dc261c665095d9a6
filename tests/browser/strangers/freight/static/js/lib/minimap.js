// A map of our own: tiles of a quarter degree and pins.
const TILE = 128;

export class MiniMap {
  constructor(container) {
    this.container = container;
    this.pins = [];
    new ResizeObserver(() => this.draw()).observe(container);
  }

  setPins(pins) {
    this.pins = pins;
    this.fit();
  }

  fit() {
    const lats = this.pins.map((p) => p.lat);
    const lons = this.pins.map((p) => p.lon);
    this.bounds = { n: Math.max(...lats) + 0.2, s: Math.min(...lats) - 0.2, w: Math.min(...lons) - 0.2, e: Math.max(...lons) + 0.2 };
    this.draw();
  }

  draw() {
    if (!this.bounds) return;
    const { width, height } = this.container.getBoundingClientRect();
    const nodes = [];
    for (let y = 0; y < height; y += TILE) {
      for (let x = 0; x < width; x += TILE) nodes.push(this.place('tile', x, y));
    }
    for (const pin of this.pins) {
      const x = ((pin.lon - this.bounds.w) / (this.bounds.e - this.bounds.w)) * width;
      const y = ((this.bounds.n - pin.lat) / (this.bounds.n - this.bounds.s)) * height;
      nodes.push(Object.assign(this.place('pin', x, y), { title: pin.plate }));
    }
    this.container.replaceChildren(...nodes);
  }

  place(kind, x, y) {
    const node = document.createElement('div');
    node.className = kind;
    node.style.left = `${Math.round(x)}px`;
    node.style.top = `${Math.round(y)}px`;
    return node;
  }
}
