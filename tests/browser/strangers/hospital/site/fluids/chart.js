import { getJSON } from '/lib/http.js';
import { balance } from './balance.js';

const template = document.getElementById('chart');
const chart = await getJSON('/api/fluids/P-20931');
const { intake, output, net } = balance(chart);
const copy = template.content.cloneNode(true);
const put = (name, text) => { copy.querySelector(`[data-field=${name}]`).textContent = text; };
put('patient', chart.patient);
put('intake', `${intake} ml`);
put('output', `${output} ml`);
put('net', `${net > 0 ? '+' : ''}${net.toLocaleString('en-GB')} ml`);
for (const { at, what, ml } of chart.intake) {
  const item = document.createElement('li');
  item.textContent = `${at} ${what}: ${ml} ml`;
  copy.querySelector('ul').append(item);
}
template.after(copy);
