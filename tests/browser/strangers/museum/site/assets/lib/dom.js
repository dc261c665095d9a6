export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

export function fill(target, ...children) {
  const element = typeof target === 'string' ? $(target) : target;
  element.replaceChildren(...children.flat());
  return element;
}

export const row = (...cells) => h('div', { class: 'row' }, cells.map((cell) => (cell instanceof Node ? cell : h('span', {}, String(cell)))));
