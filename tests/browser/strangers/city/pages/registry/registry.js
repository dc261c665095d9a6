import { api } from '/lib/api.js';

const results = document.querySelector('#results');
const hint = document.querySelector('#hint');

async function search() {
  const term = document.querySelector('#term').value.trim();
  if (!term) return;
  hint.textContent = 'Searching…';
  const { records } = await api('/api/registry/records?term=' + encodeURIComponent(term));
  results.replaceChildren(...records.map((r) => {
    const li = document.createElement('li');
    li.textContent = `${r.title} (${r.office})`;
    return li;
  }));
  hint.textContent = `${records.length} records`;
}

document.querySelector('#search').addEventListener('click', search);
