import { $, el } from '/lib/ui.js';
import '/lib/metrics.js';
import { addresses } from './client.js';

const form = $('#address');
const FIELDS = ['name', 'street', 'city'];

async function load() {
  const address = await addresses.read();
  for (const name of FIELDS) form.elements[name].value = address[name];
  $('#label').replaceChildren(...FIELDS.map((name) => el('div', {}, address[name])));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  await addresses.change(fields);
  $('#note').textContent = 'Your address is saved.';
  await load();
});
await load();
