export const initial = { regions: [], wines: [], loaded: false };

export function reducer(state, action) {
  switch (action.type) {
    case "regions": return { ...state, regions: action.regions };
    case "stock": return { ...state, wines: action.wines, loaded: true };
    default: return state;
  }
}
