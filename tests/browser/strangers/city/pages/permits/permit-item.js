class PermitItem extends HTMLElement {
  connectedCallback() {
    const shadow = this.attachShadow({ mode: 'open' });
    shadow.innerHTML = `<style>b{color:#0b4f6c}</style><p><b></b> <span></span></p>`;
    shadow.querySelector('b').textContent = `${this.permit.kind} ${this.permit.id}`;
    shadow.querySelector('span').textContent = this.permit.state;
  }
}

customElements.define('permit-row', PermitItem);
