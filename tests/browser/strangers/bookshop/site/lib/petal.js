// Petal 0.4: elements from functions, nothing more.
export function h(tag, props, ...kids) {
  if (typeof tag === 'function') return tag({ ...props, children: kids });
  const el = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (k.startsWith('on') && typeof v === 'function') el.addEventListener(k.slice(2).toLowerCase(), v);
    else if (k in el && k !== 'list') el[k] = v;
    else if (v != null && v !== false) el.setAttribute(k, v);
  }
  for (const kid of kids.flat(Infinity)) {
    if (kid == null || kid === false) continue;
    el.append(kid instanceof Node ? kid : document.createTextNode(String(kid)));
  }
  return el;
}

export function mount(root, view, store) {
  return store.subscribe((state) => root.replaceChildren(view(state)));
}
