import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function patient(work, tries = 5) {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      if (n >= tries || (error.status && error.status < 500)) throw error;
      log.warn(`not yet (${error.status}), try ${n + 1}`);
      await pause(150 * n);
    }
  }
}

function article(item) {
  const el = document.createElement('article');
  el.className = 'card';
  el.innerHTML = '<h3></h3><p></p>';
  el.querySelector('h3').textContent = item.title;
  el.querySelector('p').textContent = item.lead;
  return el;
}

patient(() => api.get('/magazine')).then(({ articles }) => {
  document.querySelector('#articles').replaceChildren(...articles.map(article));
}).catch((error) => {
  log.warn('magazine', error);
  document.querySelector('#articles').textContent = 'The magazine is being printed.';
});
