export const $ = (selector, root = document) => root.querySelector(selector);

/** h("li", {class: "row"}, "text", node, …) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export function fill(target, ...children) {
  (typeof target === "string" ? $(target) : target).replaceChildren(...children);
}

export const euro = (value) => new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" }).format(value);
