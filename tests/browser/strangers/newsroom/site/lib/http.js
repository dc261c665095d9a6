export class HttpError extends Error {
  constructor(response, body) {
    super(`${response.status} ${response.url}`);
    this.status = response.status;
    this.body = body;
  }
}
export function createHttp({ base = '', headers = () => ({}) } = {}) {
  async function send(method, path, body, options = {}) {
    const response = await fetch(base + path, {
      method,
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers() },
      body: body ? JSON.stringify(body) : undefined,
      ...options,
    });
    const data = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new HttpError(response, data);
    return data;
  }
  return { get: (path, options) => send('GET', path, null, options), post: (path, body, options) => send('POST', path, body, options) };
}
export const http = createHttp();
