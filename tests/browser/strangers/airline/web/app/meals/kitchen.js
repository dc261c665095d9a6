const PATIENCE = 900;

export class Kitchen {
  constructor(departure) {
    this.departure = departure;
  }
  async #ask(path) {
    const response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
    return response.json();
  }
  async menu() {
    try {
      return await this.#ask(`/api/kitchen/menu?departure=${this.departure}`);
    } catch (error) {
      return { open: false, dishes: [] };
    }
  }
  allergens() {
    return this.#ask('/api/allergens');
  }
}
