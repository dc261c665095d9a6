import { api, ApiError } from '/assets/api.js';
import { h, mount } from '/assets/view.js';

function form(message) {
  const email = h('input', { id: 'email', type: 'email', autocomplete: 'username' });
  const password = h('input', { id: 'password', type: 'password', autocomplete: 'current-password' });
  return h('form', { onsubmit: (event) => { event.preventDefault(); signIn(email.value, password.value); } },
    message && h('p', { class: 'error' }, message),
    h('label', {}, 'E-mail ', email), h('label', {}, ' Password ', password), h('button', { id: 'sign-in' }, 'Sign in'));
}

async function signIn(email, password) {
  try {
    await api('/session', { method: 'POST', body: { email, password } });
    await dashboard();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) mount('#view', form(error.message));
    else throw error;
  }
}

async function dashboard() {
  const { courses } = await api('/dashboard');
  mount('#view', h('h2', {}, "Your courses"), h('ul', {}, courses.map((c) => h('li', {}, c.title))));
}

mount('#view', form());
