import { api } from '../shared/client.js';

class Search {
  constructor(field, list) {
    this.field = field;
    this.list = list;
    this.control = null;
    field.addEventListener('input', () => this.typed());
  }

  /** Titles at once; when the typing rests, everything, and titles that are not there by then are not waited for. */
  typed() {
    clearTimeout(this.rest);
    const text = this.field.value.trim();
    if (text.length < 2) {
      if (this.control) this.control.abort();
      return this.list.replaceChildren();
    }
    this.rest = setTimeout(() => this.ask(text, 'all'), 250);
    return this.ask(text, 'titles');
  }

  async ask(text, scope) {
    if (this.control) this.control.abort();
    const control = new AbortController();
    this.control = control;
    try {
      const { hits } = await api.get(`/search?q=${encodeURIComponent(text)}&in=${scope}`, { signal: control.signal });
      this.show(hits, text);
    } catch (error) {
      if (error.name !== 'AbortError') this.list.textContent = 'The search is not available.';
    }
  }

  show(hits, text) {
    if (!hits.length) {
      this.list.textContent = `Nothing is called "${text}".`;
      return;
    }
    this.list.replaceChildren(...hits.map((hit) => {
      const p = document.createElement('p');
      p.className = 'card';
      p.textContent = `${hit.title}, ${hit.house}, ${hit.next}`;
      return p;
    }));
  }
}

new Search(document.querySelector('#q'), document.querySelector('#hits'));
fetch('/api/search/popular').then((r) => (r.ok ? r.json() : { items: [] })).then(({ items }) => {
  document.querySelector('#popular').textContent = items.join(', ');
});
