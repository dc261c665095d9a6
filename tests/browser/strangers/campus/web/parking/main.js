import { $, el } from '/shared/ui.js';
import { ask } from '/shared/http.js';
import { Permits } from './permits.js';

ask('/api/parking/fines').catch((e) => {
  console.error('parking: fines', e.message);
  $('#fines').textContent = e.status === 404 ? 'You have no fines to pay.' : 'Your fines cannot be shown at the moment.';
});
const [{ permits }, lots] = await Promise.all([ask('/api/parking/permits'), ask('/api/parking/lots')]);
const model = new Permits(permits, lots);
const current = model.current();
$('#permits').replaceChildren(...current.map((p) => el('li', { textContent: model.label(p) })));
$('#none').textContent = current.length ? '' : 'You have no valid parking permit.';
