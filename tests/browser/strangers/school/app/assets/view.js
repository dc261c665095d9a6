// A very small view library: h() makes elements, mount() replaces, createStore() tells of changes.
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (key.startsWith('on')) el.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key === 'class') el.className = value;
    else if (value === true) el.setAttribute(key, '');
    else if (value !== false && value != null) el.setAttribute(key, value);
  }
  el.append(...children.flat().filter((c) => c != null && c !== false));
  return el;
}

export function mount(target, ...nodes) {
  const el = typeof target === 'string' ? document.querySelector(target) : target;
  el.replaceChildren(...nodes.flat());
  return el;
}

export function createStore(initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      for (const listener of [...listeners]) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function notify(text, kind = 'info') {
  let box = document.querySelector('#toast');
  if (!box) {
    box = h('div', { id: 'toast', role: 'status' });
    document.body.append(box);
  }
  box.className = kind;
  box.textContent = text;
}
