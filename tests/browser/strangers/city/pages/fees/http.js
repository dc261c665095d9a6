import { readCookie } from './cookies.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export async function request(method, path, body) {
  const headers = { Accept: 'application/json' };
  if (body) headers['Content-Type'] = 'application/json';
  if (!SAFE.has(method)) {
    const token = readCookie('XSRF-TOKEN');
    if (token) headers['X-XSRF-TOKEN'] = token;
  }
  const res = await fetch(path, { method, headers, credentials: 'same-origin', body: body && JSON.stringify(body) });
  return res.json();
}
