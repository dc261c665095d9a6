import { api } from '/lib/http.js';

export const session = { csrf: null, validUntil: 0 };

export async function keepAlive() {
  const answer = await api('/api/account/session/renew', { method: 'POST', json: {} });
  session.validUntil = answer.validUntil;
}

export function startKeepAlive() {
  setTimeout(keepAlive, 500);
  setInterval(keepAlive, 10 * 60 * 1000);
}
