export const $ = (selector, root = document) => root.querySelector(selector);
export function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}
export const say = (text) => { $('#note').textContent = text; $('#note').className = 'note'; };
