export const createStore = (reducer, middleware = []) => {
  let state = reducer(undefined, { type: '#init' });
  const watchers = new Set();
  let dispatch = (action) => {
    state = reducer(state, action);
    watchers.forEach((w) => w(state));
    return action;
  };
  const base = { getState: () => state, dispatch: (a) => dispatch(a) };
  dispatch = middleware.map((m) => m(base)).reduceRight((next, m) => m(next), dispatch);
  return { ...base, subscribe: (w) => (watchers.add(w), () => watchers.delete(w)) };
};
export const thunk = (api) => (next) => (action) => typeof action === 'function' ? action(api.dispatch, api.getState) : next(action);
export const logger = () => (next) => (action) => {
  if (action.error) console.error(`[store] ${action.type}`, action.error);
  return next(action);
};
