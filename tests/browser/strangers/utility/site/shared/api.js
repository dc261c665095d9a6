const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class HttpError extends Error {
  constructor(status, path) {
    super(`${path} answered ${status}`);
    this.name = "HttpError";
    this.status = status;
    this.path = path;
  }
}

async function bodyOf(response) {
  if (response.status === 204) return null;
  const type = response.headers.get("content-type") || "";
  return /\bjson\b/.test(type) ? response.json() : response.text();
}

/** A client for one service. `common` are headers that every request has. */
export function createClient(base = "", common = {}) {
  async function call(path, { method = "GET", body, headers = {}, retry = 0, signal } = {}) {
    const options = { method, signal, headers: { Accept: "application/json", ...common, ...headers } };
    if (body !== undefined) {
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    const response = await fetch(base + path, options);
    if (response.status === 503 && retry > 0) {
      console.warn(`${path} is busy, ${retry} more tries`);
      await pause(400);
      return call(path, { method, body, headers, signal, retry: retry - 1 });
    }
    if (!response.ok) throw new HttpError(response.status, path);
    return bodyOf(response);
  }
  return {
    get: (path, options) => call(path, options),
    post: (path, body, options) => call(path, { ...options, method: "POST", body }),
    put: (path, body, options) => call(path, { ...options, method: "PUT", body }),
  };
}

export const api = createClient();
