export class ApiError extends Error {
  constructor(status, body) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

export async function call(path, { method = 'GET', data, signal } = {}) {
  const init = { method, signal, headers: { Accept: 'application/json' } };
  if (data !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(data);
  }
  const response = await fetch(path, init);
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

export const api = {
  get: (path, options) => call(path, options),
  post: (path, data) => call(path, { method: 'POST', data }),
  put: (path, data) => call(path, { method: 'PUT', data }),
};
