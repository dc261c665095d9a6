export class ApiError extends Error {
  constructor(status, body, path) {
    super(`${path}: ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

async function bodyOf(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function addressOf(path, query) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  return url;
}

export async function request(method, path, { query, body, headers, signal } = {}) {
  const response = await fetch(addressOf(path, query), {
    method,
    headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    body: body ? JSON.stringify(body) : undefined,
    signal,
  });
  const data = await bodyOf(response);
  if (!response.ok) throw new ApiError(response.status, data, path);
  return data;
}

export const api = {
  get: (path, query, options) => request('GET', path, { query, ...options }),
  post: (path, body, options) => request('POST', path, { body, ...options }),
  put: (path, body, options) => request('PUT', path, { body, ...options }),
};

/** For what a page can do without. */
export async function optional(promise, otherwise = null) {
  try {
    return await promise;
  } catch {
    return otherwise;
  }
}
