import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function patient(path, tries = 5) {
  for (let n = 1; ; n += 1) {
    try {
      return await http.get(path);
    } catch (error) {
      if (error.status !== 503 || n === tries) throw error;
      console.warn(`home: ${path} is warming up, try ${n} of ${tries}`);
      await pause(250 * n);
    }
  }
}
http.get('/api/start/weather').then(({ now }) => { $('#weather').textContent = now; });
const { stories } = await patient('/api/start/top');
fill('#top', stories.map((title) => h('li', {}, title)));
