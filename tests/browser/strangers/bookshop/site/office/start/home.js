import { api, money } from '/lib/http.js';
import { guard } from './session-guard.js';

const figures = document.querySelector('#figures');

async function showMenu() {
  const { items } = await api('/api/office/menu');
  document.querySelector('#menu').textContent = items.join(' | ');
}

async function showFigures() {
  const { today } = await api('/api/office/figures');
  figures.innerHTML = `<p>${today.orders} orders, ${money(today.revenue)}</p>`;
}

try {
  const session = await guard();
  document.querySelector('h1').textContent = `Good morning, ${session.user}`;
  await showMenu();
  await showFigures();
} catch (err) {
  if (err.status === 401) figures.innerHTML = '<p class="error">Your session has ended. Please sign in again.</p>';
  else throw err;
}
