/* The board in the foyer: whose turn it is. */
class QueueRow extends HTMLElement {
  connectedCallback() {
    this.tip = document.createElement('div');
    this.tip.className = 'tip';
    this.tip.textContent = 'Please go to the counter';
    document.body.append(this.tip);
    this.fit = () => {
      const box = this.getBoundingClientRect();
      this.tip.style.top = `${box.top + window.scrollY}px`;
      this.style.fontSize = window.innerWidth > 900 ? '1.4rem' : '1rem';
    };
    window.addEventListener('resize', this.fit);
    document.addEventListener('board:tick', this.fit);
  }

  set value({ counter, number, waiting }) {
    this.className = 'card row';
    this.style.display = 'flex';
    this.innerHTML = `<strong>Counter ${counter}</strong><span>${number}</span><span class="muted">${waiting} waiting</span>`;
  }
}
customElements.define('queue-row', QueueRow);

class Board {
  constructor(host) {
    this.host = host;
    this.last = null;
  }

  async refresh() {
    const response = await fetch('/api/queue');
    if (!response.ok) return;
    this.last = await response.json();
    this.draw();
  }

  draw() {
    const rows = this.last.counters.map((entry) => {
      const row = document.createElement('queue-row');
      row.value = entry;
      return row;
    });
    this.host.replaceChildren(...rows);
    document.dispatchEvent(new CustomEvent('board:tick'));
  }
}

class Clock {
  constructor(el) { this.el = el; }
  tick() { this.el.textContent = new Date().toLocaleTimeString('en-GB'); }
}

const board = new Board(document.querySelector('#board'));
const clock = new Clock(document.querySelector('#clock'));

board.refresh();
setInterval(() => board.refresh(), 350);
setInterval(() => clock.tick(), 1000);
fetch('/api/foyer/playlist').then((r) => { if (!r.ok) console.warn('no music in the foyer today'); });
