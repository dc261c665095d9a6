import { getJSON, postJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
const token = document.querySelector('meta[name="csrf-token"]')?.content ?? '';
const load = async () => fill($('#notes'), await getJSON('/api/vet/notes'));
$('#form').addEventListener('submit', async (e) => {
  e.preventDefault();
  const text = $('#text').value;
  await postJSON('/api/vet/notes', { text }, { 'X-Form-Token': token });
  $('#state').textContent = 'Note saved.';
  await load();
});
load();
