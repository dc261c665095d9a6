export const v = (tag, props, ...kids) => ({ tag, props: props ?? {}, kids: kids.flat().filter(kid => kid !== null && kid !== false) });

function make(node) {
  if (typeof node !== 'object') return document.createTextNode(String(node));
  const real = document.createElement(node.tag);
  apply(real, {}, node.props);
  node.kids.forEach(kid => real.append(make(kid)));
  return real;
}

function apply(real, before, now) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (before[name] === now[name]) continue;
    if (name.startsWith('on')) real[name] = now[name] ?? null;
    else if (name in real) real[name] = now[name] ?? '';
    else real.setAttribute(name, now[name]);
  }
}

export function patch(parent, before, now, at = 0) {
  const real = parent.childNodes[at];
  if (before === undefined) parent.append(make(now));
  else if (now === undefined) real.remove();
  else if (typeof before !== typeof now || before.tag !== now.tag || (typeof now !== 'object' && before !== now)) real.replaceWith(make(now));
  else if (typeof now === 'object') {
    apply(real, before.props, now.props);
    const shared = Math.min(before.kids.length, now.kids.length);
    for (let i = before.kids.length - 1; i >= now.kids.length; i--) patch(real, before.kids[i], undefined, i);
    for (let i = 0; i < shared; i++) patch(real, before.kids[i], now.kids[i], i);
    for (let i = shared; i < now.kids.length; i++) patch(real, undefined, now.kids[i], i);
  }
}

export function mount(root, view, state) {
  let shown;
  const draw = () => {
    const next = view(state, change => { Object.assign(state, change); draw(); });
    patch(root, shown, next);
    shown = next;
  };
  root.textContent = '';
  draw();
  return change => { Object.assign(state, change); draw(); };
}
