export class Repository {
  #path;
  constructor(path) { this.#path = path; }
  async list(params = {}) {
    const query = new URLSearchParams(params).toString();
    const response = await fetch(this.#path + (query ? `?${query}` : ''));
    if (!response.ok) return [];
    return (await response.json()).items ?? [];
  }
  async one(id) {
    const response = await fetch(`${this.#path}/${encodeURIComponent(id)}`);
    return response.ok ? response.json() : null;
  }
}
