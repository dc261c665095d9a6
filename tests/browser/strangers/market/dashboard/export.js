import { $ } from '/lib/ui.js';
import '/lib/metrics.js';
import { run } from './jobs.js';

$('#export').addEventListener('click', async () => {
  $('#export').disabled = true;
  $('#note').textContent = 'Preparing your export…';
  try {
    const file = await run('/api/exports', { range: 'month', format: 'csv' }, () => {});
    $('#note').textContent = `Your export is ready: ${file.rows} rows`;
  } catch {
    $('#note').textContent = 'The export did not work.';
  }
  $('#export').disabled = false;
});
