// Small HTTP client shared by all pages.

export class HttpError extends Error {
  constructor(response, body) {
    super((body && (body.message || body.detail)) || response.statusText || `HTTP ${response.status}`);
    this.name = 'HttpError';
    this.status = response.status;
    this.body = body;
    this.response = response;
  }
}

async function parse(response) {
  if (response.status === 204) return null;
  const type = response.headers.get('Content-Type') || '';
  return type.includes('json') ? response.json() : response.text();
}

export async function send(method, url, { body, headers = {}, signal } = {}) {
  const init = { method, headers: { Accept: 'application/json', ...headers }, signal };
  if (body !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  const response = await fetch(url, init);
  const data = await parse(response);
  if (!response.ok) throw new HttpError(response, data);
  return { data, headers: response.headers, status: response.status };
}

export const http = {
  get: (url, options) => send('GET', url, options).then((r) => r.data),
  post: (url, body, options) => send('POST', url, { ...options, body }).then((r) => r.data),
  put: (url, body, options) => send('PUT', url, { ...options, body }).then((r) => r.data),
  send,
};
