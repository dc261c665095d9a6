import { subscribe, loadPermits, renew } from './store.js';

subscribe(({ permits, message }) => {
  document.querySelector('#permits').innerHTML = permits.map((p) => `
    <p><b>${p.plate}</b>, valid until ${p.validUntil} (${p.state})
    <button data-renew="${p.id}">Renew for a year</button></p>`).join('');
  const box = document.querySelector('#state');
  box.className = message ? 'ok' : '';
  box.textContent = message;
});

document.querySelector('#permits').addEventListener('click', (ev) => {
  const id = ev.target.dataset.renew;
  if (id) renew(id);
});

loadPermits();
