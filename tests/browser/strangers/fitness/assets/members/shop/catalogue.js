import { getJson } from "/assets/lib/http.js";

export class Catalogue extends EventTarget {
  #known = new Map();

  async #load(path, params) {
    if (!this.#known.has(path)) {
      this.#known.set(path, getJson(`${path}?${new URLSearchParams(params)}`));
    }
    return this.#known.get(path);
  }

  async open(category) {
    const answer = await this.#load("/api/shop/items", { category });
    this.dispatchEvent(new CustomEvent("items", { detail: { category, items: answer.items } }));
  }

  notes() {
    return this.#load("/api/shop/stock-notes", {}).catch(() => null);
  }
}
