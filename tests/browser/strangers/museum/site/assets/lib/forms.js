import { $ } from './dom.js';

export const values = (form) => Object.fromEntries(new FormData(form));

export function clearNotes(form) {
  form.querySelectorAll('.field-note').forEach((note) => { note.textContent = ''; });
}

export function showErrors(form, errors) {
  for (const { field, message } of errors) {
    const input = form.elements[field];
    if (!input) continue;
    input.setAttribute('aria-invalid', 'true');
    $(`.field-note[data-for="${field}"]`, form).textContent = message;
  }
}

export async function busy(button, work) {
  const text = button.textContent;
  button.disabled = true;
  button.textContent = 'One moment …';
  try {
    return await work();
  } finally {
    button.disabled = false;
    button.textContent = text;
  }
}
