import { h } from '/lib/dom.js';

export class Inbox extends EventTarget {
  #items = [];
  #list;
  constructor(list) {
    super();
    this.#list = list;
    list.addEventListener('click', (event) => {
      const row = event.target.closest('li');
      if (row) this.#choose(Number(row.dataset.row));
    });
  }
  show(items) {
    this.#items = items;
    const sorted = [...items].sort((a, b) => a.priority - b.priority);
    this.#list.replaceChildren(...sorted.map((item, row) => h('li', { id: item.id, data: { row } },
      h('a', { href: '#' }, item.slug), ` (${item.priority})`)));
  }
  #choose(row) {
    this.dispatchEvent(new CustomEvent('choose', { detail: this.#items[row].id }));
  }
}
