export function createStore(reduce, first) {
  let state = first;
  const listeners = new Set();
  return {
    get: () => state,
    dispatch(action) { state = reduce(state, action); listeners.forEach((l) => l(state)); },
    subscribe(l) { listeners.add(l); l(state); return () => listeners.delete(l); },
  };
}
