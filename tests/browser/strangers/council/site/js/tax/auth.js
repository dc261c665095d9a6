let token = null, renewing = null;

const sign = async (path) => {
  const answer = await fetch(path, { method: 'POST', credentials: 'same-origin' });
  if (!answer.ok) throw new Error('signed out');
  token = (await answer.json()).access;
};
const renew = () => (renewing ??= sign('/api/auth/refresh').finally(() => { renewing = null; }));

export async function authorised(url, options = {}) {
  if (!token) await (renewing ??= sign('/api/auth/resume').finally(() => { renewing = null; }));
  const go = () => fetch(url, { ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } });
  let answer = await go();
  if (answer.status === 401) {
    console.info('access has expired, renewing');
    await renew();
    answer = await go();
  }
  if (!answer.ok) throw Object.assign(new Error(`${url} ${answer.status}`), { status: answer.status });
  return answer.json();
}
