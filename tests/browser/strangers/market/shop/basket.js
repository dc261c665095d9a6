import { getJson, sendJson } from '/lib/http.js';
import { $, el, money } from '/lib/ui.js';
import '/lib/metrics.js';
import './stepper.js';

function draw({ lines, total }) {
  $('#lines').replaceChildren(...lines.map((line) => {
    const stepper = el('qty-stepper');
    stepper.dataset.line = line.id;
    stepper.setAttribute('value', line.qty);
    const row = el('li', { id: `line-${line.id}` }, `${line.name}, ${money(line.cents)} each `, stepper);
    return row;
  }));
  $('#total').textContent = money(total);
}

$('#lines').addEventListener('quantity', async ({ detail }) => {
  draw(await sendJson('PUT', `/api/basket/lines/${detail.line}`, { qty: Number(detail.qty) }));
});

draw(await getJson('/api/basket'));
