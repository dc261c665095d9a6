import { http } from './http.js';

class SkyHeader extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<div class="bar"><b>Sundvik Air</b><nav>
      <a href="/book/flights">Book</a> <a href="/travel/manage">My trip</a>
      <a href="/airport/gates">Airport</a> <a href="/club/trips">Club</a></nav><span class="who"></span></div>`;
    if (this.hasAttribute('member')) this.greet();
  }
  async greet() {
    const me = await http.get('/api/me');
    this.querySelector('.who').textContent = me.name;
  }
}
customElements.define('sky-header', SkyHeader);
