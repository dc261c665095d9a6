export class HttpError extends Error {
  constructor(response) {
    super(`${response.status} for ${new URL(response.url).pathname}`);
    this.status = response.status;
  }
}

export async function getJSON(url, options = {}) {
  const response = await fetch(url, { headers: { Accept: "application/json" }, ...options });
  if (!response.ok) throw new HttpError(response);
  return response.json();
}
