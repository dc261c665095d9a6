export const h = (tag, props, ...kids) => ({ tag, props: props ?? {}, kids: kids.flat(9).filter((k) => k !== null && k !== false) });
export function create(node) {
  if (typeof node !== 'object') return document.createTextNode(String(node));
  const dom = document.createElement(node.tag);
  for (const [k, v] of Object.entries(node.props)) k in dom ? (dom[k] = v) : dom.setAttribute(k, v);
  dom.append(...node.kids.map(create));
  return dom;
}
export const app = (root, initial, view) => {
  let state = initial;
  const update = (change) => {
    state = { ...state, ...(typeof change === 'function' ? change(state) : change) };
    root.replaceChildren(create(view(state, update)));
  };
  update({});
  return update;
};
