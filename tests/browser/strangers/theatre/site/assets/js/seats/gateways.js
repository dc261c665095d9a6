import { Client, api } from '../shared/client.js';
import { log } from '../shared/log.js';

let configuration = null;

export function services() {
  configuration = configuration || api.get('/config');
  return configuration;
}

export class InventoryGateway {
  async hall(show) {
    const { services: at } = await services();
    const client = new Client({ base: at.inventory });
    return client.get(`/${show}`);
  }
}

export class PricingGateway {
  async categories(show) {
    const { services: at, currency } = await services();
    const client = new Client({ base: at.pricing });
    try {
      const { prices } = await client.get(`/shows/${show}/prices`);
      return new Map(prices.map((p) => [p.category, { amount: p.amount, currency }]));
    } catch (error) {
      log.note('prices', error);
      return new Map();
    }
  }
}

export class ViewGateway {
  async photo(row) {
    const { services: at, flags } = await services();
    if (!flags.seatViews) return null;
    const response = await fetch(`${at.views}/hamlet/${row}.json`);
    return response.ok ? response.json() : null;
  }
}
