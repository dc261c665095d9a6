export function createStore(initial) {
  let state = initial;
  const watchers = new Set();
  return {
    get: () => state,
    set(patch) {
      const before = state;
      state = { ...state, ...patch };
      for (const watcher of [...watchers]) watcher(state, before);
    },
    watch(select, run) {
      const watcher = (next, before) => {
        const value = select(next);
        if (value !== select(before)) run(value);
      };
      watchers.add(watcher);
      run(select(state));
      return () => watchers.delete(watcher);
    },
  };
}
