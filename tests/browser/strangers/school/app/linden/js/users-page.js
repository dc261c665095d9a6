import { api } from '/assets/api.js';
import { h, mount } from '/assets/view.js';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function withRetry(work, times = 3) {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (error.status !== 503 || n === times) throw error;
      console.warn(`back end not ready, attempt ${n}`);
      await pause(500 * n);
    }
  }
}

async function load(role) {
  const { users } = await withRetry(() => api(`/users?role=${encodeURIComponent(role)}`));
  document.querySelector('#count').textContent = users.length ? `${users.length} users` : 'No user has this role.';
  mount('#users', h('table', {}, h('tbody', {}, users.map((u) => h('tr', {}, h('td', {}, u.name), h('td', {}, u.role))))));
}

document.querySelector('#role').addEventListener('change', (event) => load(event.target.value.trim()));
await load('');
setInterval(() => api('/users/changes'), 1500);
