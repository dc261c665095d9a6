import { offices, things, hints } from './source.js';
import { html, mount } from '/lib/view.js';
import { day, plural } from '/lib/format.js';

const places = await offices();
const found = await things(places);
mount('#things', found.length
  ? found.map((t) => html`<div class="card"><b>${t.what}</b>, found ${day(t.found)} – ${t.where}</div>`)
  : html`<p class="card">Nothing has been handed in during the last four weeks.</p>`);
const tip = await hints();
mount('#offices', html`${places.length > 0 && plural(places.length, 'office')} ${tip?.text}`);
