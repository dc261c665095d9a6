import { api } from '/assets/api.js';

export async function startSession(onEnd) {
  const session = await api('/session');
  setTimeout(async () => {
    await api('/session/end', { method: 'POST' });
    onEnd();
  }, session.expires_in);
  return session.user;
}
