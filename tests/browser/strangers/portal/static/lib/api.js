export class ApiError extends Error {
  constructor(status, body, path) {
    super((body && (body.message || body.error)) || `Request failed with status ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.path = path;
  }
}

export async function api(path, { method = "GET", body, headers = {}, signal } = {}) {
  const response = await fetch(path.startsWith("http") ? path : `/api${path}`, {
    method,
    signal,
    headers: {
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  const type = response.headers.get("content-type") || "";
  const data = type.includes("json") ? await response.json() : null;
  if (!response.ok) throw new ApiError(response.status, data, path);
  return data;
}
