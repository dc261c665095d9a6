import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { DepartureSource } from './source.js';

class Board {
  #root;
  #source = new DepartureSource();
  #lines = [];

  constructor(root) { this.#root = root; }

  async start() {
    const [{ lines }, notices] = await Promise.all([
      getJson('/api/shuttle/lines'),
      getJson('/api/shuttle/notices').catch(() => ({ notices: [] })),
    ]);
    this.#lines = lines;
    $('#lines').replaceChildren(...lines.map(line => h('li', {}, `${line.id}: ${line.from} – ${line.to}`)));
    $('#notices').textContent = notices.notices.join(' · ');
    await this.#refresh();
    setInterval(() => this.#refresh(), 15000);
  }

  async #refresh() {
    const rows = await this.#source.upcoming(this.#lines.map(line => line.id));
    this.#root.replaceChildren(...(rows.length
      ? rows.map(row => h('tr', {}, h('td', {}, row.at), h('td', {}, row.line), h('td', {}, row.bay)))
      : [h('tr', {}, h('td', { colSpan: 3, className: 'muted' }, 'No more departures tonight. Shuttles start again at 06:30.'))]));
  }
}

new Board($('#departures')).start();
