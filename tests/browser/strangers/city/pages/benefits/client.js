export async function call(path, init = {}) {
  const res = await fetch(path, { credentials: 'include', ...init });
  const body = await res.json();
  if (!res.ok) console.warn(`[benefits] ${path}: ${body.message}`);
  return body;
}

export const signIn = () => call('/api/benefits/session', { method: 'POST' });
export const household = () => call('/api/benefits/household');
export const claims = (id) => call(`/api/benefits/claims?household=${id}`);
