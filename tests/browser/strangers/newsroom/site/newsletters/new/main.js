import { h, $, fill, toast } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Outbox } from '/lib/outbox.js';

const outbox = new Outbox();
async function existing() {
  const { newsletters } = await http.get('/api/newsletters');
  fill('#existing', newsletters.map((one) => h('li', {}, `${one.name} (${one.sendAt})`)));
}
outbox.onIdle(existing);
$('#form').addEventListener('submit', (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target));
  const { accepted } = outbox.put('/api/newsletters', values);
  if (accepted) {
    toast(`“${values.name}” is scheduled.`);
    event.target.reset();
  }
});
await existing();
const { audiences } = await http.get('/api/newsletters/audiences');
fill('#audience', audiences.map((one) => h('option', { value: one.id }, one.name)));
