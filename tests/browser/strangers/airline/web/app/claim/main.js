import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { bindForm } from './form.js';

const { reasons } = await http.get('/api/claims/reasons');
fill($('#reason'), reasons.map((reason) => h('option', { value: reason }, reason)));

bindForm($('#claim'), async (values) => {
  const { case: number } = await http.post('/api/claims', values);
  $('#done').textContent = `Thank you. Your case is ${number}.`;
});
document.body.dataset.ready = 'yes';
