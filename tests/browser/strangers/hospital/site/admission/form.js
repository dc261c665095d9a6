import { getJSON, postJSON, HttpError } from '/lib/http.js';
import { toWire } from './wire.js';

const form = document.querySelector('form');
const said = document.querySelector('#said');
const fill = (select, options) => select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));

async function start() {
  const [wards, insurers] = await Promise.all([getJSON('/api/wards'), getJSON('/api/insurers')]);
  fill(form.elements.ward, wards.map((ward) => [ward.id, ward.name]));
  fill(form.elements.insurer, insurers.map((name) => [name, name]));
}

async function known(patient) {
  try {
    return await postJSON('/api/patients/lookup', patient);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null; // a new patient
    throw error;
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  said.textContent = 'Saving…';
  const wire = toWire(new FormData(form));
  try {
    const before = await known({ familyName: wire.patient.familyName, givenName: wire.patient.givenName });
    const { case: number } = await postJSON('/api/admissions', before ? { ...wire, patientId: before.id } : wire);
    said.textContent = `Admitted: case ${number}`;
  } catch {
    said.textContent = 'The admission could not be saved. Please try again later.';
  }
});

start();
