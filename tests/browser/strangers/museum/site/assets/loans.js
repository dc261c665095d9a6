import { $, h, fill, row } from './lib/dom.js';

const LENDING = 'http://127.0.0.1:@@PARTNER@@/lending/loans';
const PER_PAGE = 10;

async function load(page) {
  const answer = await fetch(`${LENDING}?page=${page}`);
  if (!answer.ok) throw new Error(`lending network: ${answer.status}`);
  const loans = await answer.json();
  const total = Number(answer.headers.get('X-Total-Count'));
  return { loans, total, pages: Math.ceil(total / PER_PAGE) };
}

async function show(page) {
  try {
    const { loans, total, pages } = await load(page);
    $('#count').textContent = `${Math.max(total, loans.length)} works on loan`;
    fill('#loans', loans.map((loan) => row(loan.title, `to ${loan.to}`)));
    $('#pager').hidden = pages < 2;
    fill('#pager', Array.from({ length: pages }, (_, n) => h('button', { onclick: () => show(n + 1) }, String(n + 1))));
  } catch {
    $('#count').textContent = 'The lending network does not answer. Please try again later.';
  }
}

show(1);
