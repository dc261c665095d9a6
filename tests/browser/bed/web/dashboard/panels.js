// The panels, as custom elements: <pulse-panel kind="metrics">
const WIDTH = 320;
const HEIGHT = 80;

function points(series) {
  const most = Math.max(...series.map((entry) => entry.value));
  return series.map((entry, n) => {
    const x = (n * WIDTH) / Math.max(1, series.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - (entry.value * HEIGHT) / most).toFixed(1)}`;
  }).join(' ');
}

function chart(series) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  line.setAttribute('points', points(series));
  line.setAttribute('fill', 'none');
  line.setAttribute('stroke', '#3567b8');
  svg.append(line);
  return svg;
}

const drawers = {
  metrics(items) {
    return kit.h('ul', null, items.map((item) => kit.h('li', null, `${item.label}: ${item.value}`)));
  },
  revenue(months) {
    return [chart(months), kit.h('p', { class: 'muted' }, `${months.length} months`)];
  },
  alerts(items) {
    if (!items.length) return kit.h('p', { class: 'muted' }, 'No alerts. Enjoy the quiet.');
    return kit.h('ul', null, items.map((item) => kit.h('li', null, `${item.severity}: ${item.text}`)));
  },
};

class PulsePanel extends HTMLElement {
  connectedCallback() {
    this.kind = this.getAttribute('kind');
    this.off = this.store.events.on('changed', (name) => name === this.kind && this.render());
    this.render();
  }

  disconnectedCallback() {
    this.off();
  }

  render() {
    const data = this.store.read(this.kind);
    kit.fill(this, [kit.h('h2', null, this.kind), ...[].concat(drawers[this.kind](data))]);
  }
}

customElements.define('pulse-panel', PulsePanel);

export function panel(store, kind) {
  const element = document.createElement('pulse-panel');
  element.store = store;
  element.setAttribute('kind', kind);
  element.className = 'card';
  return element;
}
