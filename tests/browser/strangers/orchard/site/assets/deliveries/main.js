import { api } from '/assets/lib/api.js';
import { $, h, fill, say } from '/assets/lib/dom.js';
import { Board, Delivery } from './model.js';
import { locate } from './vans.js';

const TITLES = { overdue: 'Overdue', next: 'Within the hour', later: 'Later' };
const CLOCK = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

class DeliveryBoard {
  constructor(root) {
    this.root = root;
    this.deliveries = [];
    this.now = new Date();
  }

  async load() {
    const answer = await api.get('/api/deliveries');
    this.now = new Date(answer.generated);
    this.deliveries = answer.deliveries.map((raw) => new Delivery(raw));
  }

  line(delivery) {
    return h('tr', {},
      h('td', {}, delivery.ref), h('td', {}, delivery.farm), h('td', {}, `${delivery.crates} × ${delivery.goods}`),
      h('td', {}, CLOCK.format(delivery.expected)), h('td', { class: 'muted' }, delivery.near ?? ''));
  }

  section(name, list) {
    const rows = list.length
      ? h('table', {}, h('tbody', {}, list.map((delivery) => this.line(delivery))))
      : h('p', { class: 'muted' }, 'Nothing here.');
    return h('section', { 'data-group': name }, h('h2', { class: name === 'overdue' && list.length ? 'problem' : '' }, `${TITLES[name]} (${list.length})`), rows);
  }

  render() {
    const board = new Board(this.deliveries, this.now);
    fill(this.root, Object.entries(board.groups).map(([name, list]) => this.section(name, list)));
    say(`${board.cratesToCome} crates to come today`);
  }
}

const board = new DeliveryBoard($('#board'));
try {
  await board.load();
  board.render();
  await locate(board.deliveries);
  board.render();
} catch (error) {
  console.error(error);
  say('The board is not available.');
}
