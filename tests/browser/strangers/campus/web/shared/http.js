export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
export class HttpAnswer extends Error {
  constructor(response, body) {
    super(`${response.status} ${new URL(response.url).pathname}`);
    this.name = 'HttpAnswer';
    this.status = response.status;
    this.body = body;
    this.wait = Number(response.headers.get('Retry-After') || 0);
  }
}
export async function ask(url, { json, ...options } = {}) {
  const init = { ...options };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    init.headers = { 'Content-Type': 'application/json', ...options.headers };
  }
  const response = await fetch(url, init);
  if (response.status === 204) return null;
  const kind = response.headers.get('Content-Type') || '';
  const body = kind.includes('json') ? await response.json() : await response.text();
  if (!response.ok) throw new HttpAnswer(response, body);
  return body;
}
