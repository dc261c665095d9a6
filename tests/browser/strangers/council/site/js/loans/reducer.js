const start = { loans: [], pending: {}, message: null };
const patch = (loans, id, change) => loans.map((l) => (l.id === id ? { ...l, ...change } : l));

export function reducer(state = start, action) {
  switch (action.type) {
    case 'loans/loaded':
      return { ...state, loans: action.loans };
    case 'renew/begun': {
      const before = state.loans.find((l) => l.id === action.id);
      return { ...state, message: null, pending: { ...state.pending, [action.id]: before }, loans: patch(state.loans, action.id, { due: action.due, renewing: true }) };
    }
    case 'renew/done':
      return { ...state, loans: patch(state.loans, action.id, { due: action.due, renewing: false, renewed: true }), message: { kind: 'ok', text: 'Renewed for four weeks.' } };
    case 'renew/refused': {
      const before = state.pending[action.id];
      return { ...state, loans: patch(state.loans, action.id, { ...before, renewing: false }), message: { kind: 'alert', text: `“${before.title}” cannot be renewed: ${action.reason} It stays due on ${before.due}.` } };
    }
    default:
      return state;
  }
}
