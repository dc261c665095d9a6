import { getJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
const list = $('#list');
async function show(group) {
  $('#heading').textContent = group[0].toUpperCase() + group.slice(1);
  const data = await getJSON('/api/animals?group=' + group);
  fill(list, data.animals);
}
document.querySelectorAll('[data-group]').forEach((b) => b.addEventListener('click', () => show(b.dataset.group)));
show('birds');
const linked = new URLSearchParams(location.search).get('group');
if (linked) show(linked);
