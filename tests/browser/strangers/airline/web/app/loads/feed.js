import { http } from '/lib/http.js';
import { h } from '/lib/dom.js';

const LIMIT = 8;

export function runFeed(list) {
  async function turn() {
    const { events } = await http.get('/api/loads-feed');
    for (const event of events) list.prepend(h('li', {}, event.text));
    while (list.children.length > LIMIT) list.lastElementChild.remove();
    setTimeout(turn, 1000);
  }
  return turn();
}
