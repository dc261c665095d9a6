import { $, h, fill } from '/lib/dom.js';
import { patiently } from './retry.js';

$('#ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  const status = await patiently(`/api/status/${$('#no').value}`);
  fill($('#answer'), h('div', { className: 'card' }, `${status.flight}: ${status.state}, gate ${status.gate}, boarding ${status.boarding}`));
});
