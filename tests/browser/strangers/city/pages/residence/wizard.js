import { api, ApiError } from '/lib/api.js';
import { toPayload, LABELS } from './payload.js';

const form = document.querySelector('#wizard');
const message = document.querySelector('#form-message');
let step = 0;

function show(n) {
  step = Math.max(0, Math.min(2, n));
  for (const f of form.querySelectorAll('fieldset')) f.hidden = Number(f.dataset.step) !== step;
  document.querySelector('#next').hidden = step === 2;
  document.querySelector('#submit').hidden = step !== 2;
  if (step === 2) renderSummary();
}

function values() {
  return Object.fromEntries(new FormData(form));
}

function renderSummary() {
  const v = values();
  document.querySelector('#summary').replaceChildren(...Object.entries(LABELS).flatMap(([k, label]) => {
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    dt.textContent = label;
    dd.textContent = v[k] || '-';
    return [dt, dd];
  }));
}

function showErrors(fields) {
  let shown = 0;
  for (const [name, text] of Object.entries(fields || {})) {
    const input = form.elements[name];
    if (!input) continue;
    input.setAttribute('aria-invalid', 'true');
    input.title = text;
    shown += 1;
  }
  message.className = 'alert';
  message.textContent = shown ? 'Please correct the marked fields.' : 'Your registration could not be sent. Please check your entries.';
}

document.querySelector('#next').addEventListener('click', () => show(step + 1));
document.querySelector('#back').addEventListener('click', () => show(step - 1));

form.addEventListener('submit', async (ev) => {
  ev.preventDefault();
  message.textContent = '';
  try {
    const done = await api('/api/residence/registrations', { method: 'POST', body: toPayload(values()) });
    message.className = 'ok';
    message.textContent = `Thank you. Your reference is ${done.reference}.`;
  } catch (err) {
    if (err instanceof ApiError && err.status === 422) return showErrors(err.body.fields);
    message.className = 'alert';
    message.textContent = err.message;
  }
});

show(0);
