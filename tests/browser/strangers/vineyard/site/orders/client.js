export class OfficeClient {
  #base = "/api";

  async #ask(path, otherwise) {
    const response = await fetch(this.#base + path, { headers: { accept: "application/json" } });
    return response.ok ? response.json() : otherwise;
  }

  warehouse() { return this.#ask("/warehouse/current", {}); }
  summary() { return this.#ask("/orders/summary", { open: 0 }); }
  orders(filter) { return this.#ask(`/orders?${new URLSearchParams(filter)}`, { orders: [] }); }
}
