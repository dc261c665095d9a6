import { api } from '/lib/http.js';

let timer = null;

async function signOut() {
  await api('/api/office/session/end', { method: 'POST' });
}

export async function guard() {
  const session = await api('/api/office/session');
  clearTimeout(timer);
  timer = setTimeout(signOut, session.expiresIn * 1000);
  return session;
}
