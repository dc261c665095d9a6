export class ApiError extends Error {
  constructor(status, url, body) {
    super(`${status} for ${url}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

async function read(answer) {
  if (answer.status === 204) return null;
  const kind = answer.headers.get('content-type') || '';
  return kind.includes('json') ? answer.json() : answer.text();
}

export async function api(url, { method = 'GET', body, headers = {}, signal, retries = 0, pause = 400 } = {}) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(url, {
      method,
      signal,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.ok) return read(answer);
    if ([502, 503, 504].includes(answer.status) && attempt < retries) {
      const after = Number(answer.headers.get('retry-after')) * 1000 || pause * 2 ** attempt;
      console.warn(`[http] ${method} ${url} → ${answer.status}, attempt ${attempt + 1}, again in ${after} ms`);
      await sleep(after);
      continue;
    }
    throw new ApiError(answer.status, url, await read(answer).catch(() => null));
  }
}

/** A resource that may not be there: 404 is an answer, not a failure. */
export const optional = (promise, otherwise = null) => promise.catch((error) => {
  if (error instanceof ApiError && error.status === 404) return otherwise;
  throw error;
});
