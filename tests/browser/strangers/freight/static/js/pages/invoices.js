import { send } from '../lib/http.js';
import { pager, rangeOf } from '../lib/pager.js';
import { $, fill, money, row, toast } from '../lib/ui.js';

const SIZE = 10;

async function load(page) {
  const { data, headers } = await send('GET', `${window.BILLING}/invoices?page=${page}&size=${SIZE}`);
  const total = Number(headers.get('X-Total-Count'));
  return { items: data, total };
}

async function go(page) {
  try {
    const { items, total } = await load(page);
    fill($('#invoices'), items.map((invoice) => row(invoice.number, invoice.date, money(invoice.amount))));
    $('#range').textContent = rangeOf({ page, size: SIZE, total, shown: items.length });
    pager($('#pager'), { page, size: SIZE, total, go });
  } catch (error) {
    toast('Invoices are not available.');
  }
}

go(1);
