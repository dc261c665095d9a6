import { getJson } from '/lib/http.js';
import { $, el, list, money } from '/lib/ui.js';
import '/lib/metrics.js';

let turn = 0;
async function year(number) {
  const mine = ++turn;
  $('#year').textContent = `Invoices of ${number}`;
  const body = await getJson(`/api/invoices?year=${number}`);
  if (mine !== turn) return;
  list($('#invoices'), body?.invoices ?? [], (one) => `${one.id}: ${money(one.cents)}`, 'There were no invoices in this year.');
}

for (const number of [2026, 2025, 2024]) $('#years').append(el('button', { id: `y-${number}`, onclick: () => year(number) }, String(number)));
getJson('/api/tax-id').then(
  ({ id }) => { $('#tax').textContent = id; },
  (error) => { $('#tax').textContent = error.status === 404 ? 'You have not given a tax number (it is not needed).' : 'Try again later.'; },
);
console.warn('DEPRECATED: moment-style formats will be removed with release 9');
year(2025);
getJson('/api/invoices/latest').then((latest) => year(latest.year));
