/* Limelight: a very small view library with hooks. */
let current = null;

export function h(tag, props, ...children) {
  return { tag, props: props || {}, children: children.flat(Infinity).filter((c) => c !== null && c !== false && c !== undefined) };
}

function build(node) {
  if (typeof node !== 'object') return document.createTextNode(String(node));
  if (typeof node.tag === 'function') return build(node.tag({ ...node.props, children: node.children }));
  const el = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.props)) {
    if (name.startsWith('on')) el.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === 'class') el.className = value;
    else if (value === true) el.setAttribute(name, '');
    else if (value !== false && value != null) el.setAttribute(name, value);
  }
  node.children.forEach((child) => el.appendChild(build(child)));
  return el;
}

export function mount(component, host) {
  const root = { hooks: [], at: 0, queued: false, host, component, effects: [] };
  root.schedule = () => {
    if (root.queued) return;
    root.queued = true;
    queueMicrotask(() => { root.queued = false; draw(root); });
  };
  draw(root);
  return root;
}

function draw(root) {
  current = root;
  root.at = 0;
  root.effects = [];
  const tree = build(h(root.component, null));
  current = null;
  root.host.replaceChildren(tree);
  root.effects.forEach((run) => run());
}

export function useState(initial) {
  const root = current;
  const at = root.at++;
  if (!(at in root.hooks)) root.hooks[at] = typeof initial === 'function' ? initial() : initial;
  const set = (value) => {
    const next = typeof value === 'function' ? value(root.hooks[at]) : value;
    if (Object.is(next, root.hooks[at])) return;
    root.hooks[at] = next;
    root.schedule();
  };
  return [root.hooks[at], set];
}

export function useEffect(effect, deps) {
  const root = current;
  const at = root.at++;
  const before = root.hooks[at];
  const changed = !before || !deps || deps.length !== before.deps.length || deps.some((d, i) => !Object.is(d, before.deps[i]));
  if (!changed) return;
  root.effects.push(() => {
    if (before && before.clean) before.clean();
    root.hooks[at] = { deps: deps || [], clean: effect() };
  });
}

export function useMemo(make, deps) {
  const root = current;
  const at = root.at++;
  const before = root.hooks[at];
  if (before && deps.every((d, i) => Object.is(d, before.deps[i]))) return before.value;
  const value = make();
  root.hooks[at] = { value, deps };
  return value;
}
