import { api } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';
import { Occupancy } from './occupancy.js';

class BerthPlan {
  constructor(root) {
    this.root = root;
    this.occupancy = new Occupancy();
    this.berths = [];
    this.pier = 'all';
  }

  async start() {
    const { berths } = await api.get('/berths');
    this.berths = berths;
    await this.occupancy.refresh(berths);
    this.tools();
    this.draw();
  }

  tools() {
    const piers = ['all', ...new Set(this.berths.map((berth) => berth.pier))];
    fill($('#piers'), piers.map((pier) => h('option', { value: pier }, pier === 'all' ? 'All piers' : `Pier ${pier}`)));
    $('#piers').addEventListener('change', (event) => {
      this.pier = event.target.value;
      this.draw();
    });
  }

  shown() {
    return this.berths.filter((berth) => this.pier === 'all' || berth.pier === this.pier);
  }

  draw() {
    const shown = this.shown();
    const taken = shown.filter((berth) => this.occupancy.taken(berth));
    fill(this.root, shown.map((berth) => this.cell(berth)));
    $('#count').textContent = `${taken.length} of ${shown.length} berths taken`;
  }

  cell(berth) {
    const taken = this.occupancy.taken(berth);
    return h('div', { class: taken ? 'cell taken' : 'cell', title: `${berth.width} m wide` },
      h('strong', {}, berth.code), h('div', { class: 'muted' }, taken ? 'taken' : 'free'));
  }
}

async function sideNotes() {
  const { items } = await api.get('/notices/latest');
  fill($('#notes'), items.slice(0, 2).map((item) => h('p', {}, h('strong', {}, item.title), ' ', item.body)));
}

const crest = $('#crest');
crest.addEventListener('error', () => crest.remove());
crest.src = '/img/crest@2x.png';

new BerthPlan($('#plan')).start();
sideNotes();
