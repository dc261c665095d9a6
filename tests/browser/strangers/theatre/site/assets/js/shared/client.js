/* One client for the house's own answers. */
export class HttpError extends Error {
  constructor(status, payload, url) {
    super(`HTTP ${status}`);
    this.name = 'HttpError';
    this.status = status;
    this.payload = payload;
    this.url = url;
  }
}

export class Client {
  constructor({ base = '', headers = {}, timeout = 0 } = {}) {
    this.base = base;
    this.headers = headers;
    this.timeout = timeout;
  }

  async request(method, path, { body, signal, headers } = {}) {
    const limit = signal || !this.timeout ? signal : AbortSignal.timeout(this.timeout);
    const init = { method, headers: { Accept: 'application/json', ...this.headers, ...headers }, signal: limit };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers['Content-Type'] = 'application/json';
    }
    const response = await fetch(this.base + path, init);
    const payload = await this.decode(response);
    if (!response.ok) throw new HttpError(response.status, payload, response.url);
    return payload;
  }

  async decode(response) {
    if (response.status === 204) return null;
    const kind = response.headers.get('content-type') || '';
    if (kind.includes('json')) return response.json();
    return response.text();
  }

  get(path, options) { return this.request('GET', path, options); }
  post(path, body, options) { return this.request('POST', path, { ...options, body }); }
  put(path, body, options) { return this.request('PUT', path, { ...options, body }); }
}

export const api = new Client({ base: '/api' });
