// Requests of the dashboard, with one retry and a cache for what seldom changes.
const { base } = document.documentElement.dataset;
const cache = new Map();

export class ApiError extends Error {
  constructor(response, path) {
    super(`${response.status} ${path}`);
    this.name = 'ApiError';
    this.status = response.status;
  }
}

export async function request(path, { method = 'GET', body, retries = 1 } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (response.status === 502 && retries > 0) {
    console.warn('[client] upstream hiccup on %s, retrying', path);
    return request(path, { method, body, retries: retries - 1 });
  }
  if (!response.ok) throw new ApiError(response, path);
  return response.status === 204 ? null : response.json();
}

export function cached(path) {
  if (!cache.has(path)) {
    cache.set(path, request(path).catch((error) => {
      cache.delete(path);
      throw error;
    }));
  }
  return cache.get(path);
}

export async function optional(path, fallback) {
  try {
    return await request(path);
  } catch (error) {
    console.debug('[client] %s not available, using defaults', path);
    return fallback;
  }
}
