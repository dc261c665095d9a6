import { PlanApi } from './plan-api.js';

const api = new PlanApi();
const text = document.getElementById('text');
const said = document.getElementById('said');
const SENTENCES = {
  saved: () => `Saved at ${new Date().toLocaleTimeString('en-GB')}.`,
  changed: () => 'A colleague has changed this plan in the meantime. Your text was not saved.',
  failed: () => 'The plan could not be saved.',
};

text.value = (await api.load()).text;
text.addEventListener('input', () => { said.textContent = 'Not saved yet'; });
document.getElementById('save').addEventListener('click', async () => {
  said.textContent = '…';
  said.textContent = SENTENCES[await api.save(text.value)]();
});
