import { getJson } from '/assets/lib/http.js';
import { h } from '/assets/lib/dom.js';

const YEAR = 2026;

customElements.define('press-kit', class extends HTMLElement {
  connectedCallback() {
    this.list = h('ul', {});
    this.append(this.list);
    this.fill();
  }

  async fill() {
    const who = await getJson('/api/press/pass');
    this.dispatchEvent(new CustomEvent('pass', { detail: who, bubbles: true }));
    let files = [];
    try {
      files = (await getJson(`${this.getAttribute('store')}/kits/${YEAR}`, { headers: { 'X-Press-Pass': who.pass } })).files;
    } catch {
      this.setAttribute('state', 'none');
    }
    this.list.replaceChildren(...(files.length
      ? files.map(file => h('li', {}, `${file.name} (${file.size})`))
      : [h('li', { className: 'muted' }, 'Nothing has been released for your pass yet.')]));
  }
});
