// One way to talk to the house's services.
export class HttpError extends Error {
  constructor(status, body, url) {
    super(`${status} ${url}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
  }
}

const PATIENCE = 8000;

export async function request(method, url, { body, headers = {}, signal, timeout = PATIENCE, raw = false } = {}) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeout);
  signal?.addEventListener('abort', () => controller.abort(), { once: true });
  try {
    const answer = await fetch(url, {
      method,
      signal: controller.signal,
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      body: body ? JSON.stringify(body) : undefined,
    });
    const json = (answer.headers.get('Content-Type') || '').includes('json');
    const data = json ? await answer.json() : await answer.text();
    if (!answer.ok) throw new HttpError(answer.status, data, url);
    return raw ? { data, headers: answer.headers } : data;
  } finally {
    clearTimeout(timer);
  }
}

export const get = (url, options) => request('GET', url, options);
export const post = (url, body, options) => request('POST', url, { ...options, body });
