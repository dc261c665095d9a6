/** A store: watch(select, run) runs when what is selected has become another. */
export function createStore(initial) {
  let state = initial;
  const watchers = new Set();
  return {
    get state() {
      return state;
    },
    set(patch) {
      state = { ...state, ...patch };
      for (const watcher of [...watchers]) watcher();
    },
    watch(select, run) {
      let last = select(state);
      const watcher = () => {
        const now = select(state);
        if (Object.is(now, last)) return;
        last = now;
        run(now);
      };
      watchers.add(watcher);
      run(last);
      return () => watchers.delete(watcher);
    },
  };
}
