import { http } from '../lib/http.js';
import { put, ready } from '../lib/db.js';
import { $, el, fill, row, toast } from '../lib/ui.js';

async function deliver(job, button) {
  button.disabled = true;
  await put('outbox', { id: job.id, delivered: Date.now() });
  button.textContent = 'Delivered';
}

function line(job) {
  const button = el('button', { id: `job-${job.id}` }, 'Mark as delivered');
  button.addEventListener('click', () => deliver(job, button).catch(() => toast('Could not be kept on this device.')));
  return row(job.id, job.place, button);
}

http.get('/api/jobs').then(({ jobs }) => fill($('#jobs'), jobs.map(line)));
ready.then(() => {
  window.BoSync.start((sent) => { $('#sync').textContent = sent ? `${sent} sent` : 'nothing to send'; }, 1000);
});
