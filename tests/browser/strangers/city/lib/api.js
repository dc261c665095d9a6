// One place for all requests of the portal.
export class ApiError extends Error {
  constructor(status, body, path) {
    super((body && (body.message || body.error)) || `Request failed (${status})`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.path = path;
  }
}

export async function api(path, { method = 'GET', body, headers = {}, ...rest } = {}) {
  const res = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    body: body ? JSON.stringify(body) : undefined,
    ...rest,
  });
  const data = res.status === 204 ? null : await res.json().catch(() => null);
  if (!res.ok) throw new ApiError(res.status, data, path);
  return data;
}
