import { Feed } from './feed.js';

customElements.define('car-park-board', class extends HTMLElement {
  connectedCallback() {
    this.innerHTML = '<table><thead><tr><th>Car park<th>Free<th>Trend</thead><tbody></tbody></table><p class="muted" data-time>Connecting…</p>';
    this.rows = new Map();
    this.feed = new Feed({ src: this.getAttribute('src'), socket: this.getAttribute('socket'), every: Number(this.getAttribute('every')) });
    this.feed.addEventListener('data', (e) => this.update(e.detail));
    this.feed.start();
  }
  disconnectedCallback() { this.feed.stop(); }
  update({ at, parks }) {
    for (const p of parks) {
      let row = this.rows.get(p.id);
      if (!row) {
        row = { tr: this.querySelector('tbody').insertRow(), last: null };
        row.cells = [p.name, '', ''].map((t) => { const td = row.tr.insertCell(); td.textContent = t; return td; });
        this.rows.set(p.id, row);
      }
      row.cells[1].textContent = p.free < 0 ? 'closed' : p.free < 10 ? 'full' : `about ${Math.round(p.free / 10) * 10}`;
      row.cells[2].textContent = p.free < 0 || row.last === null ? '–' : p.free > row.last ? '↗' : p.free < row.last ? '↘' : '→';
      row.last = p.free;
    }
    this.querySelector('[data-time]').textContent = `As of ${new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })}`;
  }
});
