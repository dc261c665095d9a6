import { api } from '/assets/api.js';
import { createStore, h, mount } from '/assets/view.js';

const store = createStore({ invoices: [], year: 2026, error: null });
const euros = (cents) => `${(cents / 100).toFixed(2)} €`;

async function load() {
  const { year } = store.get();
  try {
    const { invoices } = await api(`/invoices?year=${year}`);
    store.set({ invoices, error: null });
  } catch (error) {
    store.set({ error: error.message });
  }
}

function render({ invoices, error }) {
  if (error) return mount('#invoices', h('p', { class: 'error' }, `Your invoices could not be loaded: ${error}`));
  return mount('#invoices', h('table', {}, h('tbody', {}, invoices.map((i) => h('tr', {},
    h('td', {}, i.id), h('td', {}, i.issued), h('td', {}, euros(i.amount_cents)), h('td', {}, i.paid ? 'paid' : 'open'))))));
}

store.subscribe(render);
store.subscribe(() => load());

load();
