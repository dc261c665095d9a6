const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const esc = (text) => String(text).replace(/[&<>"]/g, (c) => ENTITIES[c]);

export function html(strings, ...values) {
  return strings.reduce((text, part, i) => text + [].concat(values[i - 1]).join('') + part);
}

export const $ = (selector, from = document) => from.querySelector(selector);
