import { api } from '/assets/core/api.js';
import { $, esc, html } from '/assets/core/html.js';

const id = location.pathname.split('/').pop();

async function card() {
  const patient = await api.get(`/api/patients/${id}`);
  $('#who').innerHTML = html`<b>${esc(patient.name)}</b>, born ${esc(patient.born)}, ${esc(patient.phone)}`;
}

async function allergies() {
  const { items = [] } = await api.get(`/api/patients/${id}/allergies`);
  $('#allergies').innerHTML = items.length
    ? html`<ul>${items.map((a) => html`<li>${esc(a.substance)}: ${esc(a.reaction)}</li>`)}</ul>`
    : '<p class="ok">No known allergies.</p>';
}

async function visits() {
  const { items } = await api.get(`/api/patients/${id}/visits`);
  $('#visits').innerHTML = items.map((v) => html`<li>${esc(v.on)} ${esc(v.why)}</li>`).join('');
}

async function photo() {
  const response = await fetch(`/api/patients/${id}/photo`);
  if (response.status === 404) return; // most patients have none
  $('#who').style.setProperty('--photo', `url(${URL.createObjectURL(await response.blob())})`);
}

await Promise.allSettled([card(), allergies(), visits(), photo()]);
