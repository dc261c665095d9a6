export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(node.dataset, value);
    else if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}
export const $ = (selector, root = document) => root.querySelector(selector);
export function fill(target, ...children) {
  (typeof target === 'string' ? $(target) : target).replaceChildren(...children.flat().filter(Boolean));
}
export function toast(text) {
  const node = h('div', { className: 'toast' }, text);
  document.body.append(node);
  setTimeout(() => node.remove(), 9000);
}
