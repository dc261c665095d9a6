import { signal, effect } from './signal.js';
import { api } from '/lib/http.js';
import { clock, day } from '/lib/format.js';
import { html, mount, $ } from '/lib/view.js';

const slots = signal([]);
const note = signal(null);

effect(() => {
  if (!slots().length) return;
  mount('#slots', slots().map((s) => html`<button class="card" id="s${s.id}" data-id="${s.id}" ${s.taken ? 'disabled' : ''}>${day(s.from)}<br>${clock(s.from)}–${clock(s.to)}<br>${s.mine ? 'yours' : s.taken ? 'taken' : 'free'}</button>`));
});
effect(() => { const n = note(); mount('#note', n && html`<p class="${n.kind}">${n.text}</p>`); });

const load = async () => slots.set(await api('/api/halls/2/slots', { retries: 3 }));

$('#slots').addEventListener('click', async ({ target }) => {
  const id = Number(target.closest('button')?.dataset.id);
  const slot = slots().find((s) => s.id === id);
  if (!slot) return;
  slots.set((all) => all.map((s) => (s.id === id ? { ...s, taken: true, mine: true } : s)));
  try {
    const booking = await api('/api/halls/2/bookings', { method: 'POST', body: { slot: id } });
    note.set({ kind: 'ok', text: `Booked for ${clock(slot.from)}. Number ${booking.number}.` });
  } catch (error) {
    if (error.status !== 409) throw error;
    console.warn('booking refused', error.body);
    slots.set((all) => all.map((s) => (s.id === id ? { ...s, taken: true, mine: false } : s)));
    note.set({ kind: 'alert', text: `Sorry, ${clock(slot.from)} was booked by someone else a moment ago. Please choose another time.` });
    await load();
  }
});
load().catch((error) => { console.error(error); mount('#slots', html`<p class="alert">Free hours cannot be shown. Please call 55 21 40.</p>`); });
