export function h(tag, props, ...children) {
  const element = Object.assign(document.createElement(tag), props || {});
  element.append(...children.flat());
  return element;
}
export const put = (selector, ...children) => document.querySelector(selector).replaceChildren(...children.flat());
