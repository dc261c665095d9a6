let running = null;

export function signal(value) {
  const readers = new Set();
  const read = () => {
    if (running) readers.add(running);
    return value;
  };
  read.set = (next) => {
    if (Object.is(next, value)) return;
    value = next;
    [...readers].forEach((reader) => queueMicrotask(reader));
  };
  return read;
}

export function effect(body) {
  const run = () => {
    const before = running;
    running = run;
    try { body(); } finally { running = before; }
  };
  run();
}
