import { check } from './rules.js';

export function bindForm(form, submit) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    const found = check(values);
    for (const place of form.querySelectorAll('[data-for]')) place.textContent = found[place.dataset.for] || '';
    if (Object.keys(found).length) return;
    submit(values);
  });
}
