import { api } from '/lib/http.js';

const form = document.querySelector('#return');

function showErrors(errors) {
  document.querySelector('#order-error').textContent = errors.orderNumber || '';
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  showErrors({});
  try {
    const { returnNumber } = await api('/api/returns/requests', { method: 'POST', json: Object.fromEntries(new FormData(form)) });
    document.querySelector('#result').textContent = `Your return number is ${returnNumber}.`;
  } catch (err) {
    if (err.status !== 422) throw err;
    showErrors(err.body.errors);
  }
});
