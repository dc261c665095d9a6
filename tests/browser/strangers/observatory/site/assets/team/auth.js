/** Access tokens live some minutes: an answer of 401 is the usual way to learn that one is over. */
export class TokenClient {
  #access = 'acc-1';
  #renewing = null;

  async #renew() {
    this.#renewing ??= fetch('/api/team/token', { method: 'POST' })
      .then(response => response.json())
      .then(({ access }) => { this.#access = access; })
      .finally(() => { this.#renewing = null; });
    return this.#renewing;
  }

  async get(path, again = true) {
    const response = await fetch(path, { headers: { Authorization: `Bearer ${this.#access}` }, cache: 'no-cache' });
    if (response.status === 401 && again) {
      await this.#renew();
      return this.get(path, false);
    }
    if (!response.ok) throw new Error(`${path} ${response.status}`);
    return response.json();
  }
}
