// Requests that must not keep a nurse waiting.
import { getJSON } from '/lib/http.js';

const LIMIT = 900;

export async function timed(path, limit = LIMIT) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), limit);
  try {
    return await getJSON(path, { signal: control.signal });
  } catch (error) {
    if (error.name === 'AbortError') return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
