export class HttpError extends Error {
  constructor(response, body) {
    super(`${response.status} ${response.url}`);
    this.name = 'HttpError';
    this.status = response.status;
    this.body = body;
  }
}

export async function getJson(path, options = {}) {
  const response = await fetch(path, { headers: { accept: 'application/json' }, ...options });
  if (response.status === 204) return null;
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new HttpError(response, body);
  return body;
}

export function sendJson(method, path, value, options = {}) {
  return getJson(path, {
    ...options,
    method,
    headers: { 'content-type': 'application/json', ...(options.headers ?? {}) },
    body: JSON.stringify(value),
  });
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function patiently(times, work) {
  for (let turn = 1; ; turn++) {
    try {
      return await work();
    } catch (error) {
      if (turn >= times || !(error.status >= 500)) throw error;
      await wait(350 * turn);
    }
  }
}
