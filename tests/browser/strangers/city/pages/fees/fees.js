import { request } from './http.js';

const euro = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });
const pay = document.querySelector('#pay');
let open = [];

function render() {
  document.querySelector('#fees').innerHTML = open.map((f) => `<tr><td>${f.title}</td><td>${euro.format(f.cents / 100)}</td></tr>`).join('');
  document.querySelector('#total').textContent = euro.format(open.reduce((n, f) => n + f.cents, 0) / 100);
  pay.disabled = !open.length;
}

function showReceipt(payment) {
  const box = document.querySelector('#receipt');
  box.className = 'ok';
  box.textContent = `Paid. Receipt ${payment.receipt.number} of ${payment.receipt.date}.`;
}

async function settle() {
  pay.disabled = true;
  const payment = await request('POST', '/api/fees/settlements', { fees: open.map((f) => f.id) });
  showReceipt(payment);
  open = [];
  render();
}

pay.addEventListener('click', settle);

const session = await request('GET', '/api/fees/session');
document.title = `Fees of ${session.name} - City of Lindenau`;
open = (await request('GET', '/api/fees/open')).fees;
render();
