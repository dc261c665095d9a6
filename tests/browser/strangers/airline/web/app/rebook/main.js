import { http } from '/lib/http.js';
import { $, h, fill, kroner } from '/lib/dom.js';
import { Alternatives } from './options.js';

const flight = 'SV418';

function card(option) {
  return h('div', { className: 'card' }, `${option.flight} at ${option.at}`, h('button', {}, 'Take this flight'));
}

async function start() {
  const notice = await http.get(`/api/disruptions/${flight}`);
  fill($('#what'), h('p', {}, `${notice.flight} ${notice.route} is ${notice.status}: ${notice.reason}.`));
  const [options, { vouchers }] = await Promise.all([
    new Alternatives(notice.links.alternatives).list(flight, 1),
    http.get(notice.links.vouchers),
  ]);
  fill($('#options'), options.length ? options.map(card) : h('p', { className: 'muted' }, 'No other flights can be offered today.'));
  fill($('#vouchers'), vouchers.map((voucher) => h('li', {}, `${voucher.kind}: ${kroner(voucher.value)}`)));
}

start();
