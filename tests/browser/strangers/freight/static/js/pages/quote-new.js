import { http, HttpError } from '../lib/http.js';
import { busy, showErrors, values } from '../lib/form.js';
import { $, money, toast } from '../lib/ui.js';

const form = $('#quote');
const result = $('#result');

function show(quote) {
  result.classList.remove('muted');
  result.textContent = `${quote.vehicle}: ${money(quote.price)}, valid until ${quote.valid_until}`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  showErrors(form, {});
  busy(form, true);
  try {
    const quote = await http.post('/api/quotes', { ...values(form), channel: 'web' });
    show(quote);
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) showErrors(form, error.body.errors);
    else toast('Quotes are not available at the moment.');
  } finally {
    busy(form, false);
  }
});
