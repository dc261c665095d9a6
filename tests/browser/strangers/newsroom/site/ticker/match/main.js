import { h, $ } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Push } from './push.js';

function add(entry) {
  $('#entries').prepend(h('li', { value: entry.id }, `${entry.at} ${entry.text}`));
  if (entry.score) $('#score').textContent = entry.score;
}
const { entries, score } = await http.get('/api/ticker/match/entries');
$('#score').textContent = score;
entries.forEach(add);
$('#link').textContent = 'New entries appear by themselves.';
new Push('match').addEventListener('entry', ({ detail }) => add(detail));
