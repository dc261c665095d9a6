import { api } from '/assets/api.js';

const form = document.querySelector('#enrol');
const problem = document.querySelector('#email-error');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  try {
    const { enrolment } = await api('/enrolments', { method: 'POST', body: Object.fromEntries(new FormData(form)) });
    document.querySelector('#result').textContent = `You are enrolled (no. ${enrolment.id}).`;
  } catch (error) {
    if (error.status !== 422) throw error;
    problem.textContent = error.body.errors.email;
  }
});
