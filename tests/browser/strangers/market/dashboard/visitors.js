import { getJson } from '/lib/http.js';
import { $, el } from '/lib/ui.js';
import '/lib/metrics.js';
import { dayOf } from './days.js';

const { shop, rows } = await getJson('/api/dash/visitors');
$('#shop').textContent = shop;
$('#rows').replaceChildren(...rows.map((row) => el('tr', {}, el('td', {}, dayOf(row)), el('td', {}, String(row.visitors)))));
