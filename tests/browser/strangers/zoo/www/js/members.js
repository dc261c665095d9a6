class PointsBadge extends HTMLElement {
  static get observedAttributes() { return ['name']; }
  constructor() { super(); this.attachShadow({ mode: 'open' }); }
  connectedCallback() { this.draw(); }
  attributeChangedCallback() { this.draw(); }
  draw() {
    this.shadowRoot.innerHTML = `<b>${this.getAttribute('points') || 0}</b> points, ${this.getAttribute('name') || 'guest'}`;
  }
}
customElements.define('points-badge', PointsBadge);
fetch('/api/members/points').then((r) => r.json()).then((m) => {
  const badge = document.querySelector('points-badge');
  badge.setAttribute('name', m.name);
  badge.setAttribute('points', m.points);
});
