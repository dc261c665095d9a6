export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign]);

export function html(parts, ...values) {
  return parts.reduce((all, part, at) => {
    const value = values[at - 1];
    return all + (Array.isArray(value) ? value.join("") : value ?? "") + part;
  });
}

export const euro = (sum) => new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" }).format(sum);
