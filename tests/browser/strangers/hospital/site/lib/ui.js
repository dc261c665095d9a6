// h('p.quiet', {onclick}, ...children): elements without a build step.
export function h(spec, props, ...children) {
  const [tag, ...classes] = spec.split('.');
  const node = document.createElement(tag || 'div');
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(props || {})) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

export function mount(root, ...nodes) {
  root.replaceChildren(...nodes);
}

export const table = (heads, rows) =>
  h('table', null,
    h('thead', null, h('tr', null, heads.map((head) => h('th', null, head)))),
    h('tbody', null, rows.map((row) => h('tr', null, row.map((cell) => h('td', null, cell))))));
