export class Alternatives {
  #address;
  constructor(address) {
    this.#address = address;
  }
  async list(flight, seats) {
    try {
      const response = await fetch(`${this.#address}?flight=${flight}&seats=${seats}`);
      const { options } = await response.json();
      return options;
    } catch {
      return [];
    }
  }
}
