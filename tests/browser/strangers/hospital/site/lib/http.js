// What all newer pages ask the server with.
export class HttpError extends Error {
  constructor(status, body) {
    super(`HTTP ${status}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
  }
}

async function unpack(response) {
  const text = await response.text();
  const body = text ? JSON.parse(text) : null;
  if (!response.ok) throw new HttpError(response.status, body);
  return body;
}

export const getJSON = (path, init = {}) =>
  fetch(path, { ...init, headers: { Accept: 'application/json', ...(init.headers || {}) } }).then(unpack);

export const postJSON = (path, value, headers = {}) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) }).then(unpack);
