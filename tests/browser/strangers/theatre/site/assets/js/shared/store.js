export function createStore(reducer, initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get: () => state,
    dispatch(action) {
      const next = reducer(state, action);
      if (next === state) return action;
      state = next;
      listeners.forEach((listener) => listener(state, action));
      return action;
    },
    subscribe(listener) { listeners.add(listener); return () => listeners.delete(listener); },
  };
}
