export class PetitionCard extends HTMLElement {
  static observedAttributes = ['signatures', 'state'];
  #data;
  set data(d) { this.#data = d; this.setAttribute('signatures', d.signatures); }
  attributeChangedCallback() { if (this.isConnected) this.draw(); }
  connectedCallback() { this.className = 'card'; this.style.display = 'block'; this.draw(); }
  draw() {
    const state = this.getAttribute('state');
    const left = Math.max(0, this.#data.goal - Number(this.getAttribute('signatures')));
    this.innerHTML = `<b>${this.#data.title}</b><br>${this.getAttribute('signatures')} signatures${left ? `, ${left} to go` : ' – goal reached'} `;
    const b = Object.assign(document.createElement('button'), { id: `sign-${this.#data.id}`, textContent: state ? 'Signed' : 'Sign', disabled: !!state });
    b.onclick = () => this.sign();
    this.append(b);
    if (state && state !== 'signed') this.append(Object.assign(document.createElement('p'), { className: 'muted', textContent: state }));
  }
  async sign() {
    const before = this.getAttribute('signatures');
    this.setAttribute('signatures', Number(before) + 1);
    const answer = await fetch(`/api/petitions/${this.#data.id}/signatures`, { method: 'POST' });
    const body = await answer.json();
    if (answer.status === 409) {
      this.setAttribute('signatures', before);
      this.setAttribute('state', `You have signed this petition already, on ${body.signed_on}. Your signature counts once.`);
    } else {
      this.setAttribute('signatures', body.signatures);
      this.setAttribute('state', 'signed');
    }
  }
}
customElements.define('petition-card', PetitionCard);
