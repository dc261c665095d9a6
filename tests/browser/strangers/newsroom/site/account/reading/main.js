import { h, $, fill } from '/lib/dom.js';
import { createHttp, http } from '/lib/http.js';

let token = 'rd-1';
const own = createHttp({ headers: () => ({ Authorization: `Bearer ${token}` }) });
async function signed(path) {
  try {
    return await own.get(path);
  } catch (error) {
    if (error.status !== 401) throw error;
    console.info('reading: token has run out, asking for another');
    token = (await http.post('/api/session/refresh', { grant: 'reading' })).access;
    return own.get(path);
  }
}
const { list } = await signed('/api/reading/list');
$('#who').textContent = `${list.length} articles to read`;
fill('#list', list.map((title) => h('li', {}, title)));
