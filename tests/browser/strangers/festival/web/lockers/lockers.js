import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';

async function* lockers() {
  const { lockers: mine } = await getJson('/api/lockers/mine');
  for (const { id } of mine) yield getJson(`/api/lockers/${id}`);
}

async function collect(source) {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
}

getJson('/api/lockers/hours').then(({ from, to }) => { $('#hours').textContent = `${from} to ${to}`; });

const rows = await collect(lockers());
$('#lockers').replaceChildren(...rows.map(row => h('tr', {}, h('td', {}, row.id), h('td', {}, `Row ${row.row}`), h('td', {}, `${row.battery} %`))));
$('#state').textContent = `${rows.length} lockers`;
