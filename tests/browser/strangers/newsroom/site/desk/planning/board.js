import { h, fill } from '/lib/dom.js';
import { setting } from './settings.js';

export class Board {
  #target;
  #columns = [];
  constructor(target) { this.#target = target; }
  async prepare() {
    this.#columns = await setting('planning.columns', []);
    return this;
  }
  show(stories) {
    const columns = this.#columns
      .map(({ key, title }) => ({ title, stories: stories.filter((story) => story.stage === key) }))
      .filter((column) => column.stories.length);
    if (!columns.length) {
      fill(this.#target, h('p', { className: 'card' }, 'Nothing is planned for this edition yet.'));
      return 0;
    }
    fill(this.#target, h('div', { className: 'columns' }, columns.map((column) => h('div', { className: 'column' },
      h('h3', {}, column.title), column.stories.map((story) => h('div', { className: 'card' }, story.title))))));
    return columns.reduce((sum, column) => sum + column.stories.length, 0);
  }
}
