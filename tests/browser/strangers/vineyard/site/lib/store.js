export function createStore(reducer, state) {
  const listeners = new Set();
  return {
    get state() { return state; },
    dispatch(action) {
      state = reducer(state, action);
      listeners.forEach((listener) => listener(state));
      return action;
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
  };
}
