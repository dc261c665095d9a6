import { $, h, fill } from '/js/core/dom.js';
import { GraphClient } from './graph.js';
import { Ledger } from './ledger.js';

const money = (amount) => `€ ${amount.toFixed(2)}`;

class InvoicePage {
  constructor(ledger) {
    this.ledger = ledger;
  }

  async start() {
    const [account, ways] = await Promise.all([this.ledger.forHolder(), this.ledger.ways()]);
    $('#account').textContent = `${account.holder.name}, account ${account.holder.account}`;
    $('#balance').textContent = money(account.balance);
    this.list(account.open);
    fill($('#ways'), ways.map((way) => h('label', {}, h('input', { type: 'radio', name: 'way', value: way.id }), ' ', way.label)));
    $('#pay').disabled = account.open.length === 0;
  }

  list(open) {
    fill($('#invoices'), open.length
      ? open.map((row) => h('tr', {}, h('td', {}, row.number), h('td', {}, row.due), h('td', {}, money(row.amount))))
      : h('tr', {}, h('td', { class: 'muted' }, 'Nothing to pay. Thank you!')));
  }
}

new InvoicePage(new Ledger(new GraphClient())).start().catch((error) => {
  $('#account').textContent = 'Your account cannot be shown at the moment.';
  console.error(error);
});

const logo = new Image();
logo.onload = () => $('#bank').append(logo);
logo.src = '/img/bank/sepa-partner.png';
