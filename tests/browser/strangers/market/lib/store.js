export function createStore(initial) {
  let state = Object.freeze({ ...initial });
  const watchers = new Set();
  return {
    get: () => state,
    set(change) {
      state = Object.freeze({ ...state, ...change });
      for (const watcher of watchers) watcher(state);
    },
    watch(watcher) {
      watchers.add(watcher);
      watcher(state);
      return () => watchers.delete(watcher);
    },
  };
}
