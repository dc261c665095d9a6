const tokens = { access: 't0', refresh: 'r0' };

async function renew() {
  const response = await fetch('/api/token/refresh', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ refresh: tokens.refresh }),
  });
  if (!response.ok) throw new Error('signed out');
  Object.assign(tokens, await response.json());
}

export async function authorized(path) {
  const ask = () => fetch(path, { headers: { authorization: `Bearer ${tokens.access}` } });
  let response = await ask();
  if (response.status === 401) {
    await renew();
    response = await ask();
  }
  if (!response.ok) throw new Error('signed out');
  return response.json();
}
