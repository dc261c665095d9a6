import { $, $$, el } from './ui.js';

// Fields of a form as a plain object; empty strings are left out.
export function values(form) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

// While a request is under way nothing can be changed or sent twice.
export function busy(form, on) {
  $$('fieldset', form).forEach((fieldset) => { fieldset.disabled = on; });
  const button = $('button[type=submit]', form);
  if (button) button.textContent = on ? 'Please wait…' : button.dataset.label;
}

export function showErrors(form, errors) {
  $$('.problem', form).forEach((node) => node.remove());
  for (const [name, text] of Object.entries(errors || {})) {
    const field = form.elements[name];
    (field ? field.parentNode : form).append(el('span', { class: 'problem' }, ` ${text}`));
  }
}
