export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

export function mount(host, ...children) {
  host.replaceChildren(...children.flat());
}
