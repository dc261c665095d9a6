import { http } from '../lib/http.js';
import { $, fill, row } from '../lib/ui.js';

const LIMIT = 56;

async function collect(drivers) {
  const lines = [];
  for (const driver of drivers) {
    const hours = await http.get(`/api/drivers/${driver.id}/hours`);
    lines.push({ name: driver.name, driven: hours.driven, left: LIMIT - hours.driven });
  }
  return lines.sort((a, b) => a.left - b.left);
}

async function start() {
  const { drivers } = await http.get('/api/drivers');
  const lines = await collect(drivers);
  fill($('#hours'), lines.map((line) => row(line.name, `${line.driven} h`, `${line.left} h`)));
  $('#table').hidden = false;
  $('#state').textContent = `${lines.length} drivers`;
}

start().catch(() => { $('#state').textContent = 'Hours are not available.'; });
