import { $ } from './lib/dom.js';
import { post } from './lib/http.js';
import { values, clearNotes, showErrors, busy } from './lib/forms.js';

const form = $('#contact');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearNotes(form);
  busy($('#send'), async () => {
    try {
      await post('/museum/api/messages', values(form));
      form.hidden = true;
      $('#sent').hidden = false;
    } catch (error) {
      if (error.status === 422) return showErrors(form, error.body.errors);
      $('[data-for="text"]').textContent = 'We could not take your message. Please try again.';
    }
    return null;
  });
});
