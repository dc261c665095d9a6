import { getJSON, postJSON } from '/lib/http.js';

// The badge reader of the ward's computer signs whoever is on duty in.
export async function session(badge) {
  await postJSON('/auth/session', { badge });
  return getJSON('/auth/me');
}
