const get = (path) => fetch(path, { credentials: 'same-origin' });

async function whoAmI() {
  const res = await get('/api/welcome/me');
  if (res.status === 401) return null;
  return res.json();
}

function seen() {
  try {
    return JSON.parse(localStorage.getItem('welcome.seen') || 'null') || [];
  } catch {
    return [];
  }
}

const [me, services] = await Promise.all([whoAmI(), get('/api/welcome/services').then((r) => r.json())]);
const who = document.querySelector('#who');
if (me) who.textContent = `Hello ${me.name}`;
else who.innerHTML = '<a href="#sign-in">Sign in</a> to see your requests.';
for (const s of services.services) {
  const li = document.createElement('li');
  li.textContent = seen().includes(s) ? s : `${s} (new)`;
  document.querySelector('#services').append(li);
}
if (!('BarcodeDetector' in window)) console.warn('BarcodeDetector is not supported, codes are typed in by hand');
