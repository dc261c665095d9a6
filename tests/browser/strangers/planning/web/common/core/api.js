const base = document.documentElement.dataset.api;

export class ApiError extends Error {
  constructor(status, data, path) {
    super(data?.error ?? `Request failed (${status})`);
    this.name = "ApiError";
    this.status = status;
    this.data = data;
    this.path = path;
  }
}

export async function request(method, path, { body, headers = {}, signal } = {}) {
  const init = { method, headers: { Accept: "application/json", ...headers }, credentials: "same-origin", signal };
  if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const response = await fetch(base + path, init);
  if (response.status === 204) return null;
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, data, path);
  return data;
}

export const api = {
  get: (path, options) => request("GET", path, options),
  post: (path, body, options) => request("POST", path, { ...options, body }),
  patch: (path, body, options) => request("PATCH", path, { ...options, body }),
  async find(path) {
    try {
      return await request("GET", path);
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  },
};
