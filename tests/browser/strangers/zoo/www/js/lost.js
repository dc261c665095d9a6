import { $, fill } from '/lib/dom.js';
let token = 't1';
async function get(url, again = true) {
  const r = await fetch(url, { headers: { Authorization: 'Bearer ' + token } });
  if (r.status === 401 && again) {
    token = (await (await fetch('/api/lost/token', { method: 'POST' })).json()).token;
    return get(url, false);
  }
  return r.json();
}
fill($('#items'), await get('/api/lost/items'));
