import { api } from '/lib/http.js';

const form = document.querySelector('#profile');
const note = document.querySelector('#note');
let version = null;

async function load() {
  const p = await api('/api/profile');
  version = p.version;
  document.querySelector('#addresses').innerHTML = p.addresses.map((a) => `<li>${a}</li>`).join('') || '<li class="muted">No other addresses.</li>';
  return p;
}

const put = (json) => api('/api/profile', { method: 'PUT', json, headers: { 'If-Match': `"${version}"` } });

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const mine = Object.fromEntries(new FormData(form));
  try {
    await put(mine);
  } catch (err) {
    if (err.status !== 412) throw err;
    console.warn('profile changed elsewhere, saving upon the newer one');
    await load();
    await put(mine);
  }
  note.textContent = 'Saved.';
});

async function flags() {
  const res = await fetch('/api/flags/account.json');
  return res.ok ? res.json() : {};
}

const [p] = await Promise.all([load(), flags()]);
form.elements.name.value = p.name;
form.elements.city.value = p.city;
