import { http } from '../lib/http.js';
import { busy, showErrors, values } from '../lib/form.js';
import { $, $$, toast } from '../lib/ui.js';

const form = $('#collection');

function adapt() {
  const company = form.elements.kind.value === 'company';
  $('#company-part').hidden = !company;
  $('#state').textContent = company ? 'We collect between 7:00 and 16:00.' : 'Private collections are between 9:00 and 13:00.';
}

$$('input[name=kind]', form).forEach((radio) => radio.addEventListener('change', adapt));

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = values(form);
  busy(form, true);
  try {
    const made = await http.post('/api/collections', body);
    $('#state').textContent = `Collection ${made.number} is arranged for ${made.day}.`;
  } catch (error) {
    if (error.status === 422) showErrors(form, error.body.errors);
    else toast('Collections cannot be arranged right now.');
  } finally {
    busy(form, false);
  }
});

adapt();
