let running = null;

export function signal(value) {
  const readers = new Set();
  const read = () => {
    if (running) readers.add(running);
    return value;
  };
  read.set = next => {
    if (Object.is(next, value)) return;
    value = next;
    for (const run of [...readers]) run();
  };
  return read;
}

export function effect(work) {
  const run = () => {
    const outer = running;
    running = run;
    try { work(); } finally { running = outer; }
  };
  run();
}
