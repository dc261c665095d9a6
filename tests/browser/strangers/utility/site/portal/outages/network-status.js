import { createClient } from "/shared/api.js";

/** What the grid operator says of interruptions. */
export class NetworkStatus {
  #service;

  constructor(address) {
    this.#service = createClient(address);
  }

  async incidents(area) {
    try {
      const { incidents } = await this.#service.get(`/v2/incidents?area=${encodeURIComponent(area)}`);
      return incidents;
    } catch {
      return [];
    }
  }
}
