import { getJSON } from '/lib/http.js';

const PRESET = { base: '/api/v1', language: 'en', site: 'main' };

export async function siteConfig() {
  try {
    return { ...PRESET, ...(await getJSON('/api/site-config')) };
  } catch {
    return PRESET;
  }
}
