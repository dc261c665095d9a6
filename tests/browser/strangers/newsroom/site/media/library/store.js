const BASE = 'http://127.0.0.1:@@MEDIA@@/v1';

export class PictureStore {
  #desk;
  constructor(desk) { this.#desk = desk; }
  async collections() {
    const response = await fetch(`${BASE}/collections`);
    return (await response.json()).collections;
  }
  async assets(collection) {
    const response = await fetch(`${BASE}/assets?collection=${collection}`, { headers: { 'X-Desk': this.#desk } });
    return (await response.json()).assets;
  }
}
