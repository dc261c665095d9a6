import { api, optional } from '/lib/http.js';

export class Tariff {
  static async load(year) {
    const [table, relief] = await Promise.all([
      api(`/api/dogs/tariff/${year}`),
      optional(api('/api/dogs/relief'), { percent: 0 }),
    ]);
    return new Tariff(table, relief);
  }
  constructor(table, relief) {
    this.steps = new Map(table.steps.map((s) => [s.dogs, s.amount_cents]));
    this.relief = relief.percent / 100;
  }
  due(dogs) {
    const full = this.steps.get(dogs) ?? 0;
    return Math.round(full * (1 - this.relief));
  }
}
