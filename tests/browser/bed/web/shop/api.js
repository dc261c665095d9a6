// Talks to the shop's API. Everything else goes through here.
(function () {
  const base = document.documentElement.dataset.base;

  class HttpError extends Error {
    constructor(status, path, body) {
      super(`${path}: ${status}`);
      this.name = 'HttpError';
      this.status = status;
      this.body = body;
    }
  }

  class Api {
    constructor() {
      this.token = null;
      this.pending = new Map();
    }

    async send(method, path, options = {}) {
      const { query, body, signal, retry = 1 } = options;
      const url = new URL(base + path, location.origin);
      Object.entries(query || {}).forEach(([name, value]) => url.searchParams.set(name, value));
      const headers = { accept: 'application/json' };
      if (this.token) headers.authorization = `Bearer ${this.token}`;
      if (body !== undefined) headers['content-type'] = 'application/json';
      const response = await fetch(url, {
        method,
        headers,
        signal,
        credentials: 'same-origin',
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (response.status === 503 && retry > 0) {
        console.warn(`[api] ${path} is busy, trying again`);
        await kit.pause(200);
        return this.send(method, path, { ...options, retry: retry - 1 });
      }
      if (response.status === 204) return null;
      const data = await response.json().catch(() => null);
      if (!response.ok) throw new HttpError(response.status, path, data);
      return data;
    }

    // Two components that want the same thing at the same time share one request.
    get(path, options) {
      const key = path + JSON.stringify((options && options.query) || {});
      if (options && options.signal) return this.send('GET', path, options);
      if (!this.pending.has(key)) {
        const promise = this.send('GET', path, options).finally(() => this.pending.delete(key));
        this.pending.set(key, promise);
      }
      return this.pending.get(key);
    }

    post(path, body) {
      return this.send('POST', path, { body });
    }

    async authorize(session) {
      try {
        const answer = await this.post('/api/token', { session: session.id, scope: 'cart orders' });
        this.token = answer.access_token;
      } catch (error) {
        console.info('[api] guest mode', error.message);
      }
    }
  }

  window.Shop = { api: new Api(), HttpError, base };
})();
