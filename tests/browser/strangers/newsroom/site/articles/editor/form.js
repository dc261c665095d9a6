import { h, $, fill } from '/lib/dom.js';

export class ArticleForm {
  #authors = [];
  #checks = [];
  constructor(article) {
    this.article = article;
    $('#title').textContent = article.title;
    $('#body').value = article.body;
    for (const id of ['section', 'author']) $(`#${id}`).addEventListener('change', () => this.update());
  }
  sections(list) {
    fill('#section', list.map((one) => h('option', { value: one.id, selected: one.id === this.article.section }, one.name)));
  }
  authors(list) {
    this.#authors = list;
    fill('#author', list.map((one) => h('option', { value: one.id }, one.name)));
  }
  checks(list) {
    this.#checks = list;
    fill('#checks', list.map((one) => h('li', {}, `${one.passed ? '✓' : '✗'} ${one.name}`)));
  }
  update() {
    const ready = this.#checks.length > 0 && this.#checks.every((one) => one.passed);
    const author = this.#authors.some((one) => String(one.id) === $('#author').value);
    $('#publish').disabled = !(ready && author);
    $('#hint').textContent = !author ? 'An article needs an author before it can be published.' : ready ? '' : 'Checks are open.';
  }
}
