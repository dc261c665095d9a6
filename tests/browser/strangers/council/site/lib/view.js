const ESC = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
class Safe { constructor(text) { this.text = text; } toString() { return this.text; } }
const part = (v) => v instanceof Safe ? v.text
  : Array.isArray(v) ? v.map(part).join('')
  : v === null || v === undefined || v === false ? ''
  : String(v).replace(/[&<>"]/g, (c) => ESC[c]);
export const html = (strings, ...values) =>
  new Safe(strings.reduce((all, s, i) => all + s + (i < values.length ? part(values[i]) : ''), ''));
export const mount = (where, what) => {
  const node = typeof where === 'string' ? document.querySelector(where) : where;
  node.innerHTML = part(what);
  return node;
};
export const $ = (s, r = document) => r.querySelector(s);
export const $$ = (s, r = document) => [...r.querySelectorAll(s)];
