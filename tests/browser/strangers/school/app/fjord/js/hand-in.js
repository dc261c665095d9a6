import { api } from '/assets/api.js';
import { uploadText } from './uploads.js';

const { assignment } = await api('/assignments/9');
document.querySelector('#title').textContent = assignment.title;

document.querySelector('#hand-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const result = document.querySelector('#result');
  try {
    const { submission } = await uploadText(assignment.id, document.querySelector('#text').value);
    result.textContent = `Handed in (no. ${submission.id}).`;
  } catch (error) {
    result.className = 'error';
    result.textContent = 'Your work could not be uploaded.';
  }
});
