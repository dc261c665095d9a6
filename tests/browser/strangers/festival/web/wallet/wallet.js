import { $, h, money } from '/assets/lib/dom.js';
import { query } from './graph.js';

const wallet = (balance => ({
  load: async band => {
    const data = await query('Wallet', 'query Wallet($band: ID!) { wallet(band: $band) { cents entries { at text cents } } }', { band });
    balance(data?.wallet?.cents ?? 0, data?.wallet?.entries ?? []);
  },
}))((cents, entries) => {
  $('#balance').textContent = money(cents);
  $('#entries').replaceChildren(...(entries.length
    ? entries.map(entry => h('li', {}, `${entry.at} ${entry.text} ${money(entry.cents)}`))
    : [h('li', { className: 'muted' }, 'No payments yet. Top up at any of the yellow booths.')]));
});

const { me } = await query('Me', 'query Me { me { name band } }');
$('#me').textContent = `${me.name}, wristband ${me.band}`;
await Promise.all([
  wallet.load(me.band),
  query('Tips', 'query Tips { tips }').then(({ tips }) => { $('#tips').textContent = tips.join(' '); }),
]);
