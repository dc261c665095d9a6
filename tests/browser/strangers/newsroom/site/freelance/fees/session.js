export class Session {
  #token = null;
  async token() {
    if (!this.#token) await this.#refresh();
    return this.#token;
  }
  async #refresh() {
    try {
      const response = await fetch('/api/session/refresh', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ grant: 'desk' }),
      });
      const { access = null } = await response.json();
      this.#token = access;
    } catch {
      this.#token = null;
    }
  }
  async fetch(path) {
    const token = await this.token();
    return fetch(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  }
}
