import { http } from '../lib/http.js';
import { busy, showErrors, values } from '../lib/form.js';
import { $, money } from '../lib/ui.js';

const form = $('#instant');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = values(form);
  showErrors(form, {});
  busy(form, true);
  try {
    const { price } = await http.post('/api/instant', body);
    $('#result').textContent = `${money(price)} plus VAT`;
  } catch (error) {
    if (error.status === 422) showErrors(form, error.body.errors);
    else $('#result').textContent = 'No price at the moment.';
    console.warn('instant quote refused', error.status, error.body);
  } finally {
    busy(form, false);
  }
});
