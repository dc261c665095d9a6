import { api } from '/assets/api.js';

const form = document.querySelector('#enrol');
const billing = document.querySelector('#billing');

document.querySelector('#company').addEventListener('change', (event) => {
  billing.classList.toggle('hidden', !event.target.checked);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { enrolment } = await api('/enrolments', { method: 'POST', body: Object.fromEntries(new FormData(form)) });
  document.querySelector('#result').textContent = `You are enrolled (no. ${enrolment.id}).`;
});
