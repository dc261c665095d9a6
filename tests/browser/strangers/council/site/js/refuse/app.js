import { api, optional } from '/lib/http.js';
import { html, mount, $ } from '/lib/view.js';
import { day } from '/lib/format.js';
import { suggester } from './suggest.js';

const KINDS = { R: 'Residual waste', P: 'Paper', B: 'Organic waste', G: 'Garden waste' };

suggester({
  input: $('#addr'),
  fetcher: (text, signal) => api(`/api/refuse/addresses?q=${encodeURIComponent(text)}`, { signal }),
  onHits(hits, text) {
    mount('#hits', hits === null ? html`<li class="alert">Addresses cannot be searched right now. Please try again.</li>`
      : hits.length ? hits.slice(0, 5).map((h) => html`<li><button data-id="${h.uprn}">${h.label}</button></li>`)
      : text.length > 2 ? html`<li class="muted">No address found.</li>` : '');
  },
});

$('#hits').addEventListener('click', async ({ target }) => {
  const id = target.dataset.id;
  if (!id) return;
  mount('#hits', '');
  $('#addr').value = target.textContent;
  const [plan, reminder] = await Promise.all([
    api(`/api/refuse/properties/${id}/collections`),
    optional(api(`/api/refuse/properties/${id}/reminder`)),
  ]);
  const [first, ...rest] = plan.collections.filter((c) => !c.cancelled).sort((a, b) => a.at.localeCompare(b.at));
  mount('#calendar', html`<div class="card"><h2>Next collection: ${day(first.at)}</h2><p>${KINDS[first.kind] ?? 'Other'}${first.moved && html` <em>(moved because of a holiday)</em>`}</p>
    <ul>${rest.map((c) => html`<li>${day(c.at)} – ${KINDS[c.kind] ?? 'Other'}</li>`)}</ul>
    <p class="muted">${reminder ? `Reminder by ${reminder.by}` : 'You have no reminder for this address.'}</p></div>`);
});
