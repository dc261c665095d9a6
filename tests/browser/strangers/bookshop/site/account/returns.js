import { api } from '/lib/http.js';

const form = document.querySelector('#return');
const result = document.querySelector('#result');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = Object.fromEntries(new FormData(form));
  try {
    const { returnNumber } = await api('/api/returns', { method: 'POST', json: data });
    result.textContent = `Your return number is ${returnNumber}.`;
  } catch (err) {
    result.className = 'error';
    result.textContent = 'Something is missing. Please check what you have entered.';
  }
});
