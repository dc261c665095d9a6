export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const row = (...cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell instanceof Node ? cell : String(cell))));

export function fill(target, nodes) {
  target.replaceChildren(...nodes);
}

export function toast(text, ms = 6000) {
  const node = el('div', { class: 'toast' }, text);
  $('#toasts').append(node);
  setTimeout(() => node.remove(), ms);
}

const euro = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });
export const money = (value) => euro.format(value);
export const clock = (ms) => new Date(ms).toISOString().slice(11, 19);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
