const ROW = 28;
customElements.define('room-list', class extends HTMLElement {
  #rows = [];
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<style>#v{height:280px;overflow:auto;border:1px solid #ccd}#s{position:relative}div.r{position:absolute;left:.5rem;right:.5rem;height:28px}</style><div id="v"><div id="s"></div></div>';
    this.shadowRoot.querySelector('#v').addEventListener('scroll', () => this.#draw(), { passive: true });
  }
  set rows(rows) { this.#rows = rows; this.#draw(); }
  #draw() {
    const view = this.shadowRoot.querySelector('#v');
    const space = this.shadowRoot.querySelector('#s');
    space.style.height = `${this.#rows.length * ROW}px`;
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 2);
    space.replaceChildren(...this.#rows.slice(first, first + 14).map((row, i) => {
      const div = document.createElement('div');
      div.className = 'r';
      div.style.top = `${(first + i) * ROW}px`;
      div.textContent = `${row.street}, room ${Number(row.id.slice(3))} – €${Math.round(row.rent / 100)} a month`;
      return div;
    }));
  }
});
