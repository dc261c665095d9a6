export const $ = (selector, root = document) => root.querySelector(selector);

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(target, ...children) {
  target.replaceChildren(...children.flat());
}

export const kroner = (amount) => `NOK ${Number(amount).toLocaleString('en-GB')}`;
