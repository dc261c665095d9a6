import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

async function patiently(work, tries = 4) {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      if (n === tries || !(error.status >= 500)) throw error;
      console.info(`not yet (${error.status}), once more`);
      await new Promise((done) => setTimeout(done, 200 * 2 ** n));
    }
  }
}

// what is behind the link, while the pointer hesitates; not needed any more when news are there
const ahead = new AbortController();
fetch('/museum/api/prefetch/tickets', { signal: ahead.signal, priority: 'low' }).catch(() => {});

patiently(() => get('/museum/api/news'))
  .then((news) => fill('#news', news.map(({ title }) => h('p', {}, title))))
  .catch(() => fill('#news', h('p', { class: 'alert' }, 'The news cannot be shown.')))
  .finally(() => ahead.abort());

navigator.sendBeacon?.('http://127.0.0.1:@@NOBODY@@/beat', 'home');
