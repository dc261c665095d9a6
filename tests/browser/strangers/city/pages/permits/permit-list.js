class PermitList extends HTMLElement {
  async connectedCallback() {
    this.innerHTML = '<p class="muted">Loading…</p>';
    const res = await fetch(this.getAttribute('src'));
    const { permits } = await res.json();
    this.replaceChildren(...permits.map((p) => {
      const item = document.createElement('permit-item');
      item.setAttribute('number', p.id);
      item.permit = p;
      return item;
    }));
  }
}

customElements.define('permit-list', PermitList);
