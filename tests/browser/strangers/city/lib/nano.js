// nano.js 0.4 - a very small view library
let current = null;

export function h(tag, props, ...kids) {
  const children = kids.flat(Infinity).filter((k) => k !== null && k !== undefined && k !== false);
  if (typeof tag === 'function') return tag({ ...props, children });
  return { tag, props: props || {}, children };
}

function setProp(el, name, value) {
  if (name.startsWith('on')) el[name.toLowerCase()] = value;
  else if (name === 'class') el.className = value;
  else if (name in el && name !== 'list') { if (el[name] !== value) el[name] = value; }
  else if (value === false || value === null || value === undefined) el.removeAttribute(name);
  else el.setAttribute(name, value);
}

function create(v) {
  if (typeof v !== 'object') return document.createTextNode(String(v));
  const el = document.createElement(v.tag);
  for (const k in v.props) setProp(el, k, v.props[k]);
  for (const c of v.children) el.appendChild(create(c));
  el.__v = v;
  return el;
}

function patch(parent, node, v) {
  if (!node) return parent.appendChild(create(v));
  if (typeof v !== 'object') {
    if (node.nodeType === 3) { if (node.data !== String(v)) node.data = String(v); } else parent.replaceChild(create(v), node);
    return node;
  }
  if (node.nodeType !== 1 || node.localName !== v.tag) return parent.replaceChild(create(v), node);
  const old = node.__v ? node.__v.props : {};
  for (const k in old) if (!(k in v.props)) setProp(node, k, k.startsWith('on') ? null : '');
  for (const k in v.props) setProp(node, k, v.props[k]);
  v.children.forEach((c, i) => patch(node, node.childNodes[i], c));
  while (node.childNodes.length > v.children.length) node.removeChild(node.lastChild);
  node.__v = v;
  return node;
}

export function mount(component, root) {
  const app = { hooks: [], at: 0, queued: false };
  function flush() {
    app.queued = false;
    app.at = 0;
    current = app;
    const tree = component();
    current = null;
    patch(root, root.firstChild, tree);
    for (const hook of app.hooks) {
      if (hook.run) {
        const run = hook.run;
        hook.run = null;
        if (hook.clean) hook.clean();
        hook.clean = run() || null;
      }
    }
  }
  app.schedule = () => {
    if (app.queued) return;
    app.queued = true;
    requestAnimationFrame(flush);
  };
  flush();
}

function slot(init) {
  const app = current;
  const i = app.at++;
  if (!(i in app.hooks)) app.hooks[i] = init(app);
  return app.hooks[i];
}

export function useState(initial) {
  const hook = slot((app) => {
    const s = { value: initial };
    s.set = (next) => {
      const value = typeof next === 'function' ? next(s.value) : next;
      if (Object.is(value, s.value)) return;
      s.value = value;
      app.schedule();
    };
    return s;
  });
  return [hook.value, hook.set];
}

export function useEffect(fn, deps) {
  const hook = slot(() => ({ deps: undefined }));
  if (!hook.deps || !deps || deps.some((d, i) => !Object.is(d, hook.deps[i]))) {
    hook.deps = deps || null;
    hook.run = fn;
  }
}
