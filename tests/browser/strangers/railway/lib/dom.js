const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const esc = text => String(text).replace(/[&<>"]/g, c => ENTITIES[c]);

export const $ = (selector, root = document) => root.querySelector(selector);

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity));
  return element;
}

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
