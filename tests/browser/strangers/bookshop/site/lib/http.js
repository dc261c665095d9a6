// One way to ask the shop's API; throws ApiError for everything but 2xx.
export class ApiError extends Error {
  constructor(status, body) {
    super(`HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export async function api(path, { base = '', method = 'GET', headers = {}, json, signal } = {}) {
  const init = { method, signal, headers: { Accept: 'application/json', ...headers } };
  if (json !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(json);
  }
  const res = await fetch(base + path, init);
  const text = await res.text();
  const body = text && (res.headers.get('content-type') || '').includes('json') ? JSON.parse(text) : null;
  if (!res.ok) throw new ApiError(res.status, body);
  return body;
}

export const money = (cents) => '£' + (cents / 100).toFixed(2);
