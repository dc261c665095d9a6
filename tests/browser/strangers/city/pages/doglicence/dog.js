import { api, ApiError } from '/lib/api.js';

const form = document.querySelector('#f');
const state = document.querySelector('#state');

form.addEventListener('submit', async (ev) => {
  ev.preventDefault();
  state.textContent = '';
  document.querySelector('#chip-error').textContent = '';
  try {
    const { licence } = await api('/api/doglicence/applications', { method: 'POST', body: Object.fromEntries(new FormData(form)) });
    state.className = 'ok';
    state.textContent = `Licence ${licence} is on its way.`;
  } catch (err) {
    if (!(err instanceof ApiError) || err.status !== 422) throw err;
    document.querySelector('#chip-error').textContent = err.body.fields.chip;
  }
});
