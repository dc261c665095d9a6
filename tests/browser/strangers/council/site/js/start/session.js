import { api } from '/lib/http.js';

const ANONYMOUS = Object.freeze({ kind: 'anonymous', name: null, pinned: [] });

export async function whoAmI() {
  try {
    return { kind: 'resident', ...(await api('/api/session/me')) };
  } catch (error) {
    if (error.status !== 401) console.error('session could not be read', error);
    return ANONYMOUS;
  }
}
