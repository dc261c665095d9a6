import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

class Account extends HTMLElement {
  async connectedCallback() {
    this.textContent = '...';
    try {
      this.member(await api.get('/session'));
    } catch (error) {
      if (error.status === 401) this.guest();
      else throw error;
    }
  }

  guest() {
    this.innerHTML = `<p>Good evening! Sign in to see your tickets.</p>
      <form><label>E-mail <input type="email" name="mail" autocomplete="username"></label>
      <label>Password <input type="password" name="word" autocomplete="current-password"></label>
      <button type="button">Sign in</button></form>`;
  }

  member(session) { this.textContent = `Good evening, ${session.name}!`; }
}
customElements.define('house-account', Account);

(function remembered() {
  try {
    JSON.parse(sessionStorage.getItem('theatre:last') || '{oops');
  } catch (error) {
    log.warn('last visit is not readable, starting anew', error.message);
    sessionStorage.setItem('theatre:last', JSON.stringify({ at: Date.now() }));
  }
})();

const newest = document.querySelector('#newest');
api.get('/teasers').then(({ items }) => { newest.textContent = `Newly on sale: ${items.map((i) => i.title).join(', ')}`; });
