export class HttpError extends Error {
  constructor(status, url, body) {
    super(`${status} ${url}`);
    this.status = status;
    this.body = body;
  }
}

export async function getJson(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: { accept: 'application/json', ...options.headers } });
  if (!answer.ok) throw new HttpError(answer.status, url, await answer.text());
  return answer.json();
}

export function sendJson(method, url, value, options = {}) {
  return getJson(url, { ...options, method, body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...options.headers } });
}

/** Text or data, as the server labels it. */
export async function read(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new HttpError(answer.status, url, '');
  const label = answer.headers.get('content-type') ?? '';
  return /\bjson\b/.test(label) ? answer.json() : answer.text();
}
