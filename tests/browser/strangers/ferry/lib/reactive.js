let current = null;
export function signal(value) {
  const subs = new Set();
  return {
    get value() { if (current) subs.add(current); return value; },
    set value(next) { if (next !== value) { value = next; [...subs].forEach((run) => run()); } },
  };
}
export function effect(fn) {
  const run = () => { const before = current; current = run; try { fn(); } finally { current = before; } };
  run();
}
