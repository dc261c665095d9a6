import { getJSON } from '/lib/http.js';

const values = await getJSON('/api/vitals/P-20931');
document.getElementById('values').textContent =
  `Resp ${values.resp}, SpO₂ ${values.spo2} %, pulse ${values.pulse}, systolic ${values.systolic}, ${values.temp} °C`;

const worker = new Worker('/vitals/score-worker.js');
const score = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
worker.postMessage(values);
const { total } = await score;
const shown = document.getElementById('score');
shown.textContent = `Early warning score: ${total}`;
shown.className = total >= 7 ? 'alarm' : '';
