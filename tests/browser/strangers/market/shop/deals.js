import { getJson, patiently } from '/lib/http.js';
import { $, list, money } from '/lib/ui.js';
import { count } from '/lib/metrics.js';

console.warn('[deals] campaign "autumn" has no artwork, the plain one is used');
const art = $('#art');
art.addEventListener('error', () => { art.replaceWith('Deals of the week'); }, { once: true });
art.src = '/shop/art/autumn.svg';

try {
  const { deals } = await patiently(4, () => getJson('/api/deals'));
  list($('#deals'), deals, (deal) => `${deal.name}: ${money(deal.now)} instead of ${money(deal.was)}`, 'No deals this week');
} catch (error) {
  $('#deals').textContent = 'Deals cannot be shown at the moment.';
}

getJson('/api/deals/recommended')
  .then(({ deals }) => list($('#more'), deals, (deal) => deal.name, ''))
  .catch((error) => { if (error.status === 404) $('#recommended').remove(); });
count('deals');
