let current = null;
export function signal(value) {
  const subs = new Set();
  const read = () => { if (current) subs.add(current); return value; };
  read.set = (next) => { value = typeof next === 'function' ? next(value) : next; [...subs].forEach((run) => run()); };
  return read;
}
export function effect(fn) {
  const run = () => { const before = current; current = run; try { fn(); } finally { current = before; } };
  run();
}
