import { http } from '/assets/lib/http.js';
import { ExportJob } from './job.js';

const form = document.querySelector('#export');
const out = document.querySelector('#status');

const texts = {
  idle: () => '',
  working: ({ progress }) => `Preparing your download, ${progress} %`,
  failed: ({ reason }) => `The export did not work: ${reason ?? 'unknown reason'}`,
};

function show(status) {
  if (status.phase === 'ready') {
    const link = document.createElement('a');
    link.href = status.url;
    link.textContent = 'Download is ready';
    out.replaceChildren(link);
    form.querySelector('button').disabled = false;
    return;
  }
  out.textContent = texts[status.phase](status);
  form.querySelector('button').disabled = status.phase === 'working';
}

form.addEventListener('submit', event => {
  event.preventDefault();
  const job = new ExportJob(http, form.elements.set.value, show);
  job.start().catch(error => {
    show({ phase: 'failed', reason: error.message });
  });
});

const { sets } = await http.get('/api/exports/sets');
form.elements.set.innerHTML = sets.map(set => `<option value="${set.id}">${set.label} (${set.size})</option>`).join('');
http.get('/api/exports/quota').catch(() => console.warn('[export] quota is not known, none is shown'));
