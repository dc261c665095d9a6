import { api } from '/js/core/api.js';

let settings;

export function siteSettings() {
  settings ??= api.get('/config');
  return settings;
}

/** Speaks to the box in the cellar that reads the sensors under the berths. */
export class Gateway {
  constructor(root) {
    this.root = root;
  }

  static async connect() {
    const { gateway } = await siteSettings();
    return new Gateway(gateway.sensors);
  }

  async readings(sensors) {
    const answer = await fetch(`${this.root}/readings?ids=${sensors.join(',')}`, { headers: { Accept: 'application/json' } });
    if (!answer.ok) throw new Error(`gateway: ${answer.status}`);
    return (await answer.json()).readings;
  }
}
