import { authorised } from './auth.js';
import { money, day } from '/lib/format.js';
import { html, mount, $ } from '/lib/view.js';

const [account, items, plan] = await Promise.all([
  authorised('/api/tax/account'),
  authorised('/api/tax/items'),
  authorised('/api/tax/instalments').catch((e) => { if (e.status === 404) return null; throw e; }),
]);

mount('#balance', account.balance < 0
  ? html`You have a credit of <b class="ok">${money(-account.balance)}</b>.`
  : html`You owe <b>${money(account.balance)}</b>${plan ? ' in instalments' : ''}. ${!plan && html`<span class="muted">There is no instalment plan.</span>`}`);

const draw = () => {
  const everything = $('#all').checked;
  const shown = items.filter((i) => everything || !i.settled).toSorted((a, b) => a.due.localeCompare(b.due));
  $('#count').textContent = everything ? `All ${items.length} items` : `${shown.length} open of ${items.length} items`;
  mount('#items', shown.map((i) => html`<tr><td>${i.title}<td>${day(i.due)}<td>${money(i.cents)}</tr>`));
};
$('#all').addEventListener('change', draw);
draw();
