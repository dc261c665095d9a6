/* A very small view library: elements as arrays, components as functions of a model. */
export const el = (tag, props, ...children) => ({ tag, props: props ?? {}, children: children.flat(Infinity) });

function build(node) {
  if (node === null || node === undefined || node === false) return document.createComment('');
  if (typeof node !== 'object') return document.createTextNode(String(node));
  if (typeof node.tag === 'function') return build(node.tag({ ...node.props, children: node.children }));
  const made = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.props)) {
    if (typeof value === 'function') made[name] = value;
    else made.setAttribute(name, value);
  }
  node.children.forEach((child) => made.appendChild(build(child)));
  return made;
}

export function program({ host, model, view, start }) {
  let current = model;
  const paint = () => host.replaceChildren(build(view(current, dispatch)));
  function dispatch(change) {
    current = { ...current, ...(typeof change === 'function' ? change(current) : change) };
    paint();
  }
  paint();
  start(dispatch);
}
