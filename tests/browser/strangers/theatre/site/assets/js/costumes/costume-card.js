const template = document.createElement('template');
template.innerHTML = `
  <style>
    :host { display: block; border: 1px solid #ddd4c8; background: #fff; padding: .7rem 1rem; margin: .5rem 0; }
    .state { float: right; color: #8c1c2b; }
  </style>
  <span class="state"></span><strong></strong><div><small></small></div>
  <button type="button">Reserve</button>`;

export class CostumeCard extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(template.content.cloneNode(true));
    this.shadowRoot.querySelector('button').addEventListener('click', () => {
      this.dispatchEvent(new CustomEvent('reserve', { bubbles: true, composed: true, detail: this.costume }));
    });
  }
  set value(costume) {
    this.costume = costume;
    const root = this.shadowRoot;
    root.querySelector('strong').textContent = costume.name;
    root.querySelector('small').textContent = `${costume.id}, size ${costume.size}, ${costume.era}`;
    root.querySelector('.state').textContent = costume.reservedFor ? `reserved for ${costume.reservedFor}` : 'available';
    root.querySelector('button').disabled = Boolean(costume.reservedFor);
  }
}
customElements.define('costume-card', CostumeCard);
