export class HttpError extends Error {
  constructor(response, body) {
    super(`${response.status} for ${response.url}`);
    this.name = 'HttpError';
    this.status = response.status;
    this.body = body;
  }
}

export class Http {
  constructor(base = '', headers = {}) {
    this.base = base;
    this.headers = { Accept: 'application/json', ...headers };
  }

  async send(method, path, { query, body, headers, signal } = {}) {
    const address = this.base + path + (query ? '?' + new URLSearchParams(query) : '');
    const init = { method, signal, headers: { ...this.headers, ...headers } };
    if (body !== undefined) {
      init.headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    const response = await fetch(address, init);
    const data = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new HttpError(response, data);
    return data;
  }

  get(path, query, options) { return this.send('GET', path, { ...options, query }); }
  post(path, body, options) { return this.send('POST', path, { ...options, body }); }
}

export const http = new Http();
