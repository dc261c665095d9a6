import { h } from '/lib/dom.js';

class FrontSection extends HTMLElement {
  set section({ title, teasers = [] }) {
    this.replaceChildren(h('h2', {}, title), teasers.length
      ? h('div', { className: 'grid' }, teasers.map((teaser) => h('div', { className: 'card' }, teaser.headline)))
      : h('p', { className: 'card muted' }, 'No teasers in this section. Drag one here.'));
  }
}
customElements.define('front-section', FrontSection);
