export class ParcelApi {
  constructor(base = '/api/parcels') {
    this.base = base;
  }

  async #get(url) {
    const res = await fetch(url, { headers: { Accept: 'application/json' } });
    if (!res.ok) throw new Error(`${res.status} for ${url}`);
    return res.json();
  }

  async all() {
    const { parcels } = await this.#get(this.base);
    return parcels;
  }

  one(id) {
    return this.#get(`${this.base}/${id}`);
  }
}
