import { api } from '/lib/http.js';

const form = document.querySelector('#login');
const state = document.querySelector('#state');

async function openAccount() {
  const me = await api('/api/auth/me');
  const account = document.querySelector('#account');
  account.innerHTML = `<h2>Welcome, ${me.name}</h2>`;
  account.classList.remove('hidden');
  form.classList.add('hidden');
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  state.textContent = 'Signing in...';
  const { email, password } = Object.fromEntries(new FormData(form));
  try {
    await api('/api/auth/login', { method: 'POST', json: { email, password } });
  } catch (err) {
    state.textContent = 'Email or password is wrong.';
    return;
  }
  try {
    await openAccount();
  } catch (err) {
    if (err.status !== 401) throw err;
    state.textContent = 'You have been signed out. Please sign in again.';
  }
});
