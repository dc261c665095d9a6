// Calls with an access token, which is renewed when it has run out.
const session = JSON.parse(document.getElementById('session').textContent);
const listeners = [];

export const onSignedOut = (listener) => listeners.push(listener);

function signOut() {
  session.access = session.refresh = null;
  listeners.splice(0).forEach((listener) => listener());
}

async function renew() {
  const response = await fetch('/api/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: session.refresh }),
  });
  if (!response.ok) {
    signOut();
    throw new Error('signed out');
  }
  const tokens = await response.json();
  session.access = tokens.access_token;
  session.refresh = tokens.refresh_token;
}

export async function call(url, again = true) {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${session.access}` } });
  if (response.status === 401 && again) {
    await renew();
    return call(url, false);
  }
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}
