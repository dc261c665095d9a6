import { Tariff } from './tariff.js';
import { api } from '/lib/http.js';
import { money } from '/lib/format.js';
import { html, mount, $, $$ } from '/lib/view.js';

const tariff = Tariff.load(2026);
const texts = (cents) => cents > 0 ? html`Yearly tax: <b>${money(cents)}</b>` : html`<b>No tax is due</b> for this household.`;

$$('[data-n]').forEach((b) => b.addEventListener('click', async () => {
  const cents = (await tariff).due(Number(b.dataset.n));
  $('#fee').hidden = false;
  mount('#fee', texts(cents));
}));

api('/api/dogs/breeds', { retries: 2, pause: 300 })
  .then((all) => mount('#breeds', html`${all.length} breeds need a permit besides: ${all.join(', ')}`))
  .catch((error) => console.warn('breeds', error));
