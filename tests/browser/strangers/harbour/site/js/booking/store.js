import { api } from '/js/core/api.js';
import { createStore } from '/js/core/bus.js';

export const store = createStore({
  me: null, tariffs: null, papers: { state: 'pending', until: null }, free: [],
  form: { arrival: '', nights: 0, pier: '' }, sending: false, reference: null,
});

const guard = (label, work) => work().catch((error) => { if (window.__trace) console.debug(label, error); });

async function loadPapers(vesselId) {
  const papers = await api.get(`/vessels/${vesselId}/papers`);
  store.set({ papers: { state: papers.insuredUntil ? 'valid' : 'missing', until: papers.insuredUntil } });
}

export async function boot() {
  const me = await api.get('/me');
  store.set({ me });
  await Promise.all([
    guard('tariffs', async () => store.set({ tariffs: await api.get('/tariffs') })),
    guard('papers', () => loadPapers(me.vesselId)),
    guard('piers', async () => store.set({ free: (await api.get('/piers/free')).free })),
    guard('avatar', async () => store.set({ avatar: await api.get('/me/avatar') })),
  ]);
}

export const field = (name, value) => store.set((state) => ({ form: { ...state.form, [name]: value } }));

export async function confirm() {
  store.set({ sending: true });
  try {
    const { reference } = await api.post('/bookings', store.get().form);
    store.set({ reference });
  } finally {
    store.set({ sending: false });
  }
}
