import { api } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';
import { clashes, describe } from './planner.js';

let stays = [];

async function load() {
  ({ stays } = await api.get('/season/stays'));
  $('#stays').textContent = `${stays.length} stays are planned`;
  $('#check').disabled = false;
}

async function holidays() {
  const { weeks } = await api.get('/season/holidays');
  $('#weeks').textContent = `School holidays: weeks ${weeks.join(', ')}`;
}

function check() {
  const found = clashes(stays);
  $('#result').textContent = `${found.length} clashes in the plan`;
  fill($('#clashes'), found.slice(0, 20).map((pair) => h('li', {}, describe(pair))));
}

$('#check').addEventListener('click', check);
$('#from').addEventListener('change', () => console.warn('season: the filter is applied with the next check'));

load();
holidays();
