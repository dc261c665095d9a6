import { $, esc } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { Tariff } from './tariff.js';

const route = await getJson('/api/fares/route?from=Almby&to=Storvik');
$('#route').textContent = `${route.from} – ${route.to}, single, one adult`;

let quotes = {};
try {
  quotes = await new Tariff('http://127.0.0.1:@@PARTNER@@', route.zone).quotes(route.from, route.to);
} catch (error) {
  console.debug('[fares]', error);
}

$('#fares').innerHTML = route.classes.map(name =>
  `<tr><td>${esc(name)}<td>${name in quotes ? quotes[name].toFixed(2) + ' €' : 'price at the counter'}`).join('');
