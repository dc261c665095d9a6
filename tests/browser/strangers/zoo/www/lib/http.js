export class HttpError extends Error {
  constructor(status, body) { super('HTTP ' + status); this.status = status; this.body = body; }
}
export async function getJSON(url, init) {
  const answer = await fetch(url, init);
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new HttpError(answer.status, body);
  return body;
}
export function postJSON(url, data, headers = {}) {
  return fetch(url, {
    method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(data),
  });
}
