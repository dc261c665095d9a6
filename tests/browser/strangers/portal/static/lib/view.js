// Tiny view helpers: escaped templates and keyed mounting.
const RAW = Symbol("raw");

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (value) => String(value).replace(/[&<>"]/g, (c) => escapes[c]);

function stringify(value) {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(stringify).join("");
  if (value[RAW]) return value[RAW];
  return escape(value);
}

export function html(strings, ...values) {
  let out = strings[0];
  values.forEach((value, i) => { out += stringify(value) + strings[i + 1]; });
  return { [RAW]: out };
}

export function render(target, template) {
  target.innerHTML = stringify(template);
}

export function on(root, type, selector, handler) {
  root.addEventListener(type, (event) => {
    const hit = event.target.closest(selector);
    if (hit && root.contains(hit)) handler(event, hit);
  });
}
