const cache = new Map();

function details(id) {
  if (!cache.has(id)) cache.set(id, fetch(`/api/instruments/${encodeURIComponent(id)}`).then(r => r.json()));
  return cache.get(id);
}

const template = document.createElement('template');
template.innerHTML = `
  <style>
    :host { display: block; background: #fff; border: 1px solid #d5dbe6; border-radius: 8px; padding: 1rem; }
    :host([compact]) { padding: .4rem .8rem; }
    .state { font-size: .85rem; color: #667; }
  </style>
  <h3 part="name">…</h3><p class="temperature">Waiting for the instrument</p><p class="state"></p>`;

export class InstrumentCard extends HTMLElement {
  static get observedAttributes() { return ['instrumentId', 'compact']; }

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(template.content.cloneNode(true));
  }

  get instrumentId() { return this.getAttribute('instrumentId'); }
  set instrumentId(value) { this.setAttribute('instrumentId', value); }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    switch (name) {
      case 'instrumentId': this.load(now); break;
      case 'compact': this.shadowRoot.querySelector('.state').hidden = now !== null; break;
    }
  }

  async load(id) {
    this.setAttribute('aria-busy', 'true');
    try {
      this.draw(await details(id));
    } catch (error) {
      console.error('instrument', id, error);
    } finally {
      this.removeAttribute('aria-busy');
    }
  }

  draw({ name, temperature, state }) {
    const $ = selector => this.shadowRoot.querySelector(selector);
    $('h3').textContent = name;
    $('.temperature').textContent = `${temperature.toFixed(1)} °C`;
    $('.state').textContent = state;
  }
}

customElements.define('instrument-card', InstrumentCard);
