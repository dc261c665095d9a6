import { api, optional } from '/assets/lib/api.js';
import { $, h, money, say } from '/assets/lib/dom.js';
import { openLedger } from './ledger.js';

const body = $('#entries tbody');
const release = $('#release');

function line(entry) {
  body.append(h('tr', {}, h('td', {}, entry.farm), h('td', {}, money.format(entry.gross)), h('td', {}, money.format(entry.levy)), h('td', {}, money.format(entry.net))));
}

function summarise(ledger) {
  $('#quarter').textContent = ledger.quarter;
  $('#total').textContent = money.format(ledger.total);
  release.disabled = ledger.empty;
  say(ledger.empty ? 'There is nothing to pay out this quarter.' : `${ledger.entries.length} farms will be paid.`);
}

async function main() {
  const rates = await optional(api.get('/api/payouts/exchange-rates'));
  if (!rates) console.warn('payouts: pounds only');
  try {
    summarise(await openLedger(line));
  } catch (error) {
    console.error(error);
    say('The payouts cannot be shown.');
  }
}

main();
