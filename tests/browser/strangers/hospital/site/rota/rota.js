import { getJSON } from '/lib/http.js';
import { h, mount, table } from '/lib/ui.js';

class Rota {
  #root;
  constructor(root) { this.#root = root; }

  async refresh() {
    try {
      this.render(await getJSON('/api/rota'));
    } catch (error) {
      mount(this.#root, h('p.alarm', null, 'The on-call rota is not available at present.'));
    }
  }

  render(rows) {
    mount(this.#root,
      table(['Team', 'On call', 'Phone'], rows.map(({ team, who, phone }) => [team, who, phone])),
      h('p.quiet', null, `As of ${new Date().toLocaleTimeString('en-GB')}`));
    setInterval(() => this.refresh(), 1800);
  }
}

new Rota(document.getElementById('rota')).refresh();
