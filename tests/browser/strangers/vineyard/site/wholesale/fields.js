const snake = (name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

export const toWire = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [snake(name), value.trim()]));

export function mark(form, errors) {
  form.querySelectorAll(".msg").forEach((slot) => { slot.textContent = ""; });
  for (const [field, texts] of Object.entries(errors)) {
    const slot = form.querySelector(`[data-for="${field}"]`);
    if (slot) slot.textContent = texts.join(" ");
  }
}
