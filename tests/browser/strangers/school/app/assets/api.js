// The one way to talk to the back end.
const base = document.documentElement.dataset.base + '/api';

export class ApiError extends Error {
  constructor(status, body, path) {
    super(body?.message || body?.error || `Request failed (${status})`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.path = path;
  }
}

function cookie(name) {
  const found = document.cookie.split('; ').find((c) => c.startsWith(name + '='));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
}

export async function api(path, { method = 'GET', body, headers = {}, signal, optional = false } = {}) {
  const init = { method, signal, credentials: 'same-origin', headers: { Accept: 'application/json', ...headers } };
  if (method !== 'GET') init.headers['X-CSRF-Token'] = cookie('csrf_token');
  if (body instanceof FormData) {
    init.body = body;
  } else if (body !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  const response = await fetch(base + path, init);
  if (response.status === 204) return null;
  if (response.status === 404 && optional) return null;
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, data, path);
  return data;
}
