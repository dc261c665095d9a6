import { api, optional } from '/lib/http.js';
import { html, mount } from '/lib/view.js';
import { whoAmI } from './session.js';

const tile = (s) => html`<a class="card" href="${s.href}"><img src="/img/services/${s.icon}.svg" width="32" height="32" loading="lazy" alt=""> ${s.title}<br><small class="muted">${s.hint ?? 'Available online'}</small></a>`;

async function greeting() {
  const me = await whoAmI();
  mount('#who', me.kind === 'resident'
    ? html`Good day, ${me.name}.`
    : html`You are visiting as a guest. <a href="/sign-in">Sign in</a> to see your own matters.`);
}

async function urgent() {
  const notice = await optional(api('/api/notices/urgent'));
  mount('#urgent', notice ? html`<strong class="alert">${notice.title}</strong>` : html`<span class="ok">No urgent notices today.</span>`);
}

async function weather() {
  const w = await api('/api/weather/station', { retries: 2, pause: 250 });
  mount('#weather', html`Town Hall station: <b>${Math.round(w.celsius)} °C</b>, wind ${Math.round(w.wind_ms * 3.6)} km/h`);
}

async function services() {
  const all = await api('/api/services');
  mount('#services', all.filter((s) => s.online).sort((a, b) => a.order - b.order).map(tile));
}

const parts = { greeting, urgent, weather, services };
for (const [name, run] of Object.entries(parts)) {
  run().catch((error) => console.error(`part ${name}`, error));
}
