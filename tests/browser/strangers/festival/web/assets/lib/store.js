export function createStore(initial) {
  let state = initial;
  const followers = new Set();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...(typeof change === 'function' ? change(state) : change) };
      followers.forEach(follow => follow(state));
    },
    subscribe(follow) {
      followers.add(follow);
      follow(state);
      return () => followers.delete(follow);
    },
  };
}
