import { sendJson, getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';

customElements.define('access-request', class extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector('form');
    this.companion = this.querySelector('[data-part="companion"]');
    this.form.elements.party.addEventListener('change', event => this.parts(event.target.value));
    this.form.addEventListener('submit', event => this.send(event));
    this.parts(this.form.elements.party.value);
  }

  parts(party) {
    this.companion.hidden = party !== 'two';
  }

  async send(event) {
    event.preventDefault();
    const { ref } = await sendJson('POST', '/api/access/requests', Object.fromEntries(new FormData(this.form)));
    this.replaceChildren(h('p', {}, `Thank you. Your request is ${ref}.`));
  }
});

getJson('/api/access/services').then(({ services }) => {
  $('#services').replaceChildren(...services.map(name => h('li', {}, name)));
});
