import { http } from '../lib/http.js';
import { $, fill, row } from '../lib/ui.js';

// The archive is optional: depots without one show an empty list.
async function documentsOf(year) {
  try {
    const { documents } = await http.get(`/api/archive/${year}`);
    return documents;
  } catch {
    return [];
  }
}

async function show(year) {
  const documents = await documentsOf(year);
  fill($('#archive'), documents.map((d) => row(d.date, d.kind, d.customer, d.place)));
  $('#state').textContent = documents.length ? `${documents.length} documents` : 'There are no documents for this year.';
}

$('#year').addEventListener('change', (event) => show(event.target.value));
show($('#year').value);
