/** A layer of the chart: made of marks, put over the others. */
export class Layer {
  constructor(chart, name) {
    this.chart = chart;
    this.node = document.createElement('div');
    this.node.className = `layer ${name}`;
    this.marks = [];
    this.onResize = () => this.place();
    window.addEventListener('resize', this.onResize);
    chart.host.append(this.node);
  }

  add(mark) {
    this.marks.push(mark);
    this.node.append(mark.node);
    mark.place(this.chart.scale());
  }

  place() {
    const scale = this.chart.scale();
    this.marks.forEach((mark) => mark.place(scale));
  }

  hide() {
    this.node.hidden = true;
  }

  remove() {
    window.removeEventListener('resize', this.onResize);
    this.node.remove();
    this.marks = [];
  }
}

export class ShipMark {
  constructor(target) {
    this.target = target;
    this.node = document.createElement('div');
    this.node.className = 'ship';
    const arrow = document.createElement('span');
    arrow.textContent = '▲ ';
    const name = document.createElement('span');
    name.textContent = `${target.name} ${target.sog} kn`;
    this.node.append(arrow, name);
  }

  place(scale) {
    this.node.style.left = `${this.target.x * scale}px`;
    this.node.style.top = `${this.target.y}px`;
  }
}

export class AreaMark {
  constructor(area) {
    this.area = area;
    this.node = document.createElement('div');
    this.node.textContent = area.name;
    this.node.style.cssText = 'position:absolute;border:1px dashed #5f7885;font-size:11px';
  }

  place(scale) {
    const { x, y, w, h } = this.area;
    Object.assign(this.node.style, { left: `${x * scale}px`, top: `${y}px`, width: `${w * scale}px`, height: `${h}px` });
  }
}
