import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const hours = await getJSON('/api/weather/hours');
$('#hours').textContent = `Open ${hours.open} to ${hours.close}`;
getJSON('http://127.0.0.1:@@SITE@@/station/now.json')
  .then((w) => { $('#now').textContent = `${w.degrees} °C, ${w.sky}`; })
  .catch(() => { $('#now').textContent = 'The weather station is resting.'; });
