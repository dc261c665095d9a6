import { getJSON } from '/lib/http.js';

export const reduce = (state, action) => {
  switch (action.type) {
    case 'ward': return { ...state, ward: action.ward };
    case 'beds': return { ...state, beds: action.beds, loaded: true };
    case 'failed': return { ...state, error: action.error, loaded: true };
    default: return state;
  }
};

export async function loadWard(store, id) {
  try {
    store.dispatch({ type: 'ward', ward: await getJSON(`/api/wards/${id}`) });
    const page = await getJSON(`/api/wards/${id}/beds`);
    store.dispatch({ type: 'beds', beds: page.data ?? [] });
  } catch (error) {
    store.dispatch({ type: 'failed', error });
  }
}
