import { getJson } from '/lib/http.js';
import { $, list } from '/lib/ui.js';
import '/lib/metrics.js';
import { keep } from './cache.js';

const { sources } = await getJson('/api/traffic');
list($('#sources'), sources, (one) => `${one.name}: ${one.share} %`, 'No visits');
for (const day of ['01', '02', '03']) keep(`traffic.${day}`, 'x'.repeat(2_000_000));

const stream = new EventSource('/api/traffic/stream');
stream.addEventListener('message', ({ data }) => { $('#now').textContent = `${JSON.parse(data).visitors} visitors are here now`; });
stream.addEventListener('error', () => console.info('[traffic] the stream begins again'));

fetch('http://127.0.0.1:@@MEDIA@@/world.json').then((response) => response.json()).then(
  () => { $('#map').textContent = 'Map'; },
  () => { $('#map').textContent = 'The table says where visitors come from.'; },
);
