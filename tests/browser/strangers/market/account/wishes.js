import { getJson, sendJson } from '/lib/http.js';

let access = 'w0';
let renewing = null;

const renew = () => (renewing ??= sendJson('POST', '/api/wishlist/token', {}).then((body) => { access = body.access; }).finally(() => { renewing = null; }));

export async function ask(path) {
  const once = () => getJson(path, { headers: { authorization: `Bearer ${access}` } });
  try {
    return await once();
  } catch (error) {
    if (error.status !== 401) throw error;
    await renew();
    return once();
  }
}
