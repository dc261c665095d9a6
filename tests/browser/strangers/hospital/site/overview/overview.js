import { getJSON } from '/lib/http.js';

console.warn('[Deprecation] overview tiles v1 will be removed in spring');
const tiles = await getJSON('/api/overview');
for (const [name, value] of Object.entries(tiles)) document.querySelector(`[data-tile=${name}]`).textContent = value;

// extras that may be missing
fetch('/api/weather').then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
  .then((weather) => { document.getElementById('weather').textContent = weather.text; })
  .catch((status) => { document.getElementById('weather').remove(); console.info('no weather', status); });
