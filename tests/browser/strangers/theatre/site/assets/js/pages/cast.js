import { log } from '../shared/log.js';

const QUERIES = {
  Production: 'query Production($id: ID!) { production(id: $id) { id title by house next } }',
  CastOf: 'query CastOf($id: ID!, $date: Date) { castOf(production: $id, date: $date) { role singer debut } }',
  Reviews: 'query Reviews($id: ID!) { reviews(production: $id) { paper line } }',
};

class Graph {
  constructor(url) { this.url = url; }

  async query(operationName, variables) {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ operationName, query: QUERIES[operationName], variables }),
    });
    if (!response.ok) throw new Error(`graph: ${response.status}`);
    const { data } = await response.json();
    return data;
  }
}

class Panel {
  constructor(selector) { this.host = document.querySelector(selector); }
  fill(items, make, none) {
    if (!items || !items.length) {
      this.host.innerHTML = '';
      this.host.append(Object.assign(document.createElement('p'), { className: 'muted', textContent: none }));
      return;
    }
    this.host.replaceChildren(...items.map(make));
  }
}

const text = (tag, content) => Object.assign(document.createElement(tag), { textContent: content });

class CastPage {
  constructor(graph, production) {
    this.graph = graph;
    this.production = production;
    this.cast = new Panel('#cast');
    this.reviews = new Panel('#reviews');
  }

  async head() {
    const { production } = await this.graph.query('Production', { id: this.production });
    document.querySelector('h1').textContent = production.title;
    document.querySelector('#next').textContent = `${production.house}, ${production.next}`;
    return production;
  }

  async evening(date) {
    const { castOf } = await this.graph.query('CastOf', { id: this.production, date });
    this.cast.fill(castOf, (c) => text('p', `${c.role}: ${c.singer}`), 'The cast of this evening has not been announced.');
  }

  async press() {
    const { reviews } = await this.graph.query('Reviews', { id: this.production });
    this.reviews.fill(reviews, (r) => text('blockquote', `${r.line} (${r.paper})`), 'No reviews yet.');
  }

  async open() {
    const production = await this.head();
    await Promise.all([this.evening(production.next), this.press()]);
  }
}

new CastPage(new Graph('/api/graph'), 14).open().catch((error) => log.warn('cast', error));

const trailer = new Image();
trailer.onerror = () => log.note('no trailer picture');
trailer.src = '/media/trailer-tosca.jpg';
