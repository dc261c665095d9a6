export class ApiError extends Error {
  constructor(status, body, path) {
    super(`${path} answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export class Api {
  constructor({ base = '/api', headers = {}, deadline = 0 } = {}) {
    this.base = base;
    this.headers = headers;
    this.deadline = deadline;
  }

  async send(method, path, { body, signal, query, headers } = {}) {
    const url = this.base + path + (query ? '?' + new URLSearchParams(query) : '');
    const options = { method, headers: { Accept: 'application/json', ...this.headers, ...headers }, signal };
    if (body !== undefined) {
      options.headers['Content-Type'] = 'application/json';
      options.body = JSON.stringify(body);
    }
    if (this.deadline && !signal) options.signal = AbortSignal.timeout(this.deadline);
    const answer = await fetch(url, options);
    const said = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (!answer.ok) throw new ApiError(answer.status, said, path);
    return said;
  }

  get(path, options) { return this.send('GET', path, options); }
  post(path, body, options) { return this.send('POST', path, { ...options, body }); }
  put(path, body, options) { return this.send('PUT', path, { ...options, body }); }
}

export const api = new Api();
