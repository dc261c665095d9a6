export function createStore(reducer, state = reducer(undefined, { type: "@init" })) {
  const listeners = new Set();
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch(action) {
      if (typeof action === "function") return action(this.dispatch.bind(this), this.getState);
      state = reducer(state, action);
      listeners.forEach((listener) => listener(state));
      return action;
    },
  };
}
