/** Talks to the cold store, which wants a bearer token and is quick to forget it. */
export class ColdStoreClient {
  #token;
  #renewing = null;

  constructor({ base, token, clock = () => performance.now() }) {
    this.base = base;
    this.#token = token;
    this.clock = clock;
    this.trace = [];
  }

  async get(path) {
    const call = this.#prepare('GET', path);
    let response = await this.#send(call);
    if (response.status === 401) {
      await this.#renew();
      response = await this.#send(call);
    }
    return this.#read(response, path);
  }

  #prepare(method, path) {
    const headers = new Headers({ Accept: 'application/json', 'X-Request-Id': Math.random().toString(36).slice(2, 10) });
    if (this.#token) headers.set('Authorization', `Bearer ${this.#token}`);
    return { url: this.base + path, init: { method, headers, cache: 'no-store' } };
  }

  async #send({ url, init }) {
    const begun = this.clock();
    const response = await fetch(url, init);
    this.trace.push({ url, status: response.status, took: Math.round(this.clock() - begun) });
    return response;
  }

  async #renew() {
    this.#renewing ??= this.#requestToken().finally(() => { this.#renewing = null; });
    return this.#renewing;
  }

  async #requestToken() {
    const response = await fetch('/api/auth/renew', { method: 'POST' });
    if (!response.ok) throw new Error('renewal refused');
    const { access_token: token } = await response.json();
    this.#token = token;
  }

  async #read(response, path) {
    if (response.status === 401) throw Object.assign(new Error('signed out'), { code: 'SIGNED_OUT', path });
    if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { code: 'HTTP', path });
    return response.json();
  }
}
