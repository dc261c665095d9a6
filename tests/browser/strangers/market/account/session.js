import { getJson, sendJson } from '/lib/http.js';

export async function resume() {
  const user = await sendJson('POST', '/api/session/resume', { remember: true });
  const { notices } = await getJson('/api/session/notices');
  return { ...user, notices };
}
