import { api } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';

class Finder {
  #running = null;

  constructor(input, list, state) {
    Object.assign(this, { input, list, state });
    input.addEventListener('input', () => this.look(input.value.trim()));
  }

  async look(text) {
    this.#running?.abort();
    if (text.length < 2) {
      fill(this.list);
      this.state.textContent = '';
      return;
    }
    const own = (this.#running = new AbortController());
    this.state.textContent = 'Searching…';
    try {
      const { hits } = await api.get('/search', { query: { q: text }, signal: own.signal });
      this.show(hits);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.state.textContent = 'The search is not available.';
    }
  }

  show(hits) {
    this.state.textContent = `${hits.length} found`;
    fill(this.list, hits.map((hit) => h('li', {}, `${hit.name}: pier ${hit.pier}, berth ${hit.number}`)));
  }
}

new Finder($('#q'), $('#hits'), $('#state'));

async function popular() {
  const { terms } = await api.get('/search/popular');
  fill($('#popular'), 'Often looked for: ', terms.join(', '));
}

async function trends() {
  try {
    await api.get('/search/trends');
  } catch (error) {
    console.info('find: trends are for members', error.status);
  }
}

popular();
trends();
