import { api } from '/lib/api.js';
import { money, sum } from './money.js';

const [{ accounts }, { entries }] = await Promise.all([api('/api/ledger/accounts'), api('/api/ledger/entries')]);
const names = new Map(accounts.map((a) => [a.id, a.label]));

for (const entry of entries) {
  const row = document.querySelector('#entries').insertRow();
  row.insertCell().textContent = names.get(entry.account);
  row.insertCell().textContent = entry.text;
  row.insertCell().textContent = money(entry.amount);
}
document.querySelector('#balance').textContent = money(sum(entries, (e) => e.amount));
