import { Gateway } from './gateway.js';

/** Who lies where: a sensor's id and whether there is something above it. */
export class Occupancy {
  #taken = new Map();

  async refresh(berths) {
    const next = new Map();
    for (const reading of await this.#read(berths)) next.set(reading.id, reading.echo > 0.4);
    this.#taken = next;
    return this;
  }

  async #read(berths) {
    try {
      const gateway = await Gateway.connect();
      return await gateway.readings(berths.map((berth) => berth.sensor));
    } catch {
      return [];
    }
  }

  taken(berth) {
    return this.#taken.get(berth.sensor) ?? false;
  }
}
