import { api, optional } from '/lib/http.js';
import { html, mount, $, $$ } from '/lib/view.js';
import { money } from '/lib/format.js';

const NAMES = { sat: 'Saturday', sun: 'Sunday' };
const view = { day: null };

async function choose(day) {
  view.day = day;
  $$('[data-day]').forEach((b) => b.setAttribute('aria-pressed', String(b.dataset.day === day)));
  $('#head').textContent = `Sessions on ${NAMES[day]}`;
  const { sessions } = await api(`/api/pool/sessions?day=${day}`);
  mount('#times', sessions.map((s) => html`<li>${s.from}–${s.to}, ${s.left} places, ${money(s.cents)}</li>`));
}

$$('[data-day]').forEach((b) => b.addEventListener('click', () => choose(b.dataset.day)));
const wanted = new URLSearchParams(location.search).get('day');
choose('sat').catch(console.error);
api('/api/pool/calendar', { retries: 1 }).then(({ open }) => { if (open.includes(wanted)) return choose(wanted); });
optional(api('/api/pool/water', { retries: 1 })).then((w) => { $('#water').textContent = w ? `Water ${w.celsius} °C` : ''; });
