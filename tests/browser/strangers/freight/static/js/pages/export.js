import { http, send } from '../lib/http.js';
import { $, el, fill, sleep } from '../lib/ui.js';

async function retried(work, times = 4) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (error.status !== 503 || attempt === times) throw error;
      const wait = Number(error.response.headers.get('Retry-After') || 1) * 300;
      console.warn(`export service busy, attempt ${attempt} of ${times}`);
      await sleep(wait);
    }
  }
}

$('#start').addEventListener('click', async (event) => {
  event.target.disabled = true;
  $('#state').textContent = 'Preparing…';
  try {
    const job = await retried(() => http.post('/api/exports', { kind: 'delivery-notes', month: '2026-10' }));
    for (;;) {
      const { status, data } = await send('GET', `/api/exports/${job.id}`);
      if (status === 200) {
        fill($('#ready'), [el('a', { href: data.url, download: '' }, `Download (${data.files} files)`)]);
        break;
      }
      $('#state').textContent = `${data.done} of ${data.files} files`;
      await sleep(350);
    }
    $('#state').textContent = 'Your export is ready.';
  } catch (error) {
    $('#state').textContent = 'The export could not be created.';
  }
  event.target.disabled = false;
});
