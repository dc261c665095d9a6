import { postJSON, HttpError } from '/lib/http.js';

const form = document.forms[0];
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const hint = document.getElementById('hint');
  hint.textContent = '';
  try {
    const { badge, until } = await postJSON('/api/visitors', Object.fromEntries(new FormData(form)));
    document.getElementById('said').textContent = `Badge ${badge} is valid until ${until}.`;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    hint.textContent = error.body.errors.badge;
    console.warn('form not accepted', error.body.errors);
  }
});
