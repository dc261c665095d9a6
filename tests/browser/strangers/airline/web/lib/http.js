export class HttpError extends Error {
  constructor(status, path, payload) {
    super(`${status} for ${path}`);
    this.name = 'HttpError';
    this.status = status;
    this.payload = payload;
  }
}

export function createHttp({ base = '', headers = {} } = {}) {
  async function send(method, path, { body, signal, headers: extra } = {}) {
    const response = await fetch(base + path, {
      method,
      signal,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...extra },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const type = response.headers.get('content-type') || '';
    const payload = type.includes('application/json') ? await response.json() : await response.text();
    if (!response.ok) throw new HttpError(response.status, path, payload);
    return payload;
  }
  return {
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { ...options, body }),
  };
}

export const http = createHttp();
