import { sleep } from './dom.js';

export class HttpError extends Error {
  constructor(url, status, body) {
    super(`${status} from ${url}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
  }
}

export async function getJson(url, options = {}) {
  const response = await fetch(url, { headers: { Accept: 'application/json' }, ...options });
  if (!response.ok) throw new HttpError(url, response.status, await response.text());
  return response.json();
}

export async function postJson(url, data) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(data),
  });
  if (!response.ok) throw new HttpError(url, response.status, await response.text());
  return response.json();
}

/** Asks again when a service is busy (503), at most `times` times. */
export async function patiently(url, times = 4, pause = 250) {
  for (let n = 1; ; n++) {
    try {
      return await getJson(url);
    } catch (error) {
      if (error.status !== 503 || n >= times) throw error;
      console.warn(`[net] ${url} is busy, attempt ${n}`);
      await sleep(pause * n);
    }
  }
}
