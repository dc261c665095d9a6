export class HttpError extends Error {
  constructor(response, detail) {
    super(`${response.status} ${response.url}`);
    this.status = response.status;
    this.detail = detail;
  }
}

async function read(response) {
  if (response.status === 204) return null;
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new HttpError(response, data);
  return data;
}

export async function getJson(path, options = {}) {
  return read(await fetch(path, { headers: { Accept: "application/json" }, ...options }));
}

export async function sendJson(method, path, data, headers = {}) {
  return read(await fetch(path, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(data),
  }));
}
