import { api } from '/assets/lib/api.js';

export class Ledger {
  constructor(quarter) {
    this.quarter = quarter;
    this.entries = [];
  }

  add({ farm, gross, levy }) {
    this.entries.push({ farm, gross, levy, net: gross - levy });
  }

  get total() {
    return this.entries.reduce((sum, entry) => sum + entry.net, 0);
  }

  get empty() {
    return this.entries.length === 0;
  }
}

export async function openLedger(onEntry) {
  const { quarter, farms } = await api.get('/api/payouts');
  const ledger = new Ledger(quarter);
  farms.forEach(async (farm) => {
    const statement = await api.get(`/api/payouts/${farm}`);
    ledger.add(statement);
    onEntry(ledger.entries.at(-1));
  });
  return ledger;
}
