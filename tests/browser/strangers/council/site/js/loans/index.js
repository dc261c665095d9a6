import { createStore, thunk, logger } from './store.js';
import { reducer } from './reducer.js';
import { html, mount, $ } from '/lib/view.js';

const REASONS = { HELD: 'another reader has reserved it.', LIMIT: 'it has been renewed three times.' };
const store = createStore(reducer, [thunk, logger]);
const later = (due) => { const d = new Date(due); d.setUTCDate(d.getUTCDate() + 28); return d.toISOString().slice(0, 10); };

const load = () => async (dispatch) => {
  const answer = await fetch('/api/library/loans');
  dispatch({ type: 'loans/loaded', loans: await answer.json() });
};

const renew = (id) => async (dispatch, getState) => {
  const loan = getState().loans.find((l) => l.id === id);
  dispatch({ type: 'renew/begun', id, due: later(loan.due) });
  const answer = await fetch(`/api/library/loans/${id}/renewals`, { method: 'POST' });
  const body = await answer.json();
  if (answer.ok) dispatch({ type: 'renew/done', id, due: body.due });
  else dispatch({ type: 'renew/refused', id, reason: REASONS[body.code] ?? 'please ask at the desk.', error: `${answer.status} ${body.code}` });
};

const initials = (t) => t.split(' ').map((w) => w[0]).join('').slice(0, 2);
store.subscribe(({ loans, message }) => {
  mount('#toast', message && html`<p class="${message.kind}">${message.text}</p>`);
  mount('#loans', loans.map((l) => html`<div class="card"><span class="cover">${l.cover ? html`<img width="48" height="64" src="${l.cover}" alt="${initials(l.title)}" data-alt="${initials(l.title)}">` : initials(l.title)}</span>
    <b>${l.title}</b>, ${l.author} – due ${l.due} <button id="renew-${l.id}" data-id="${l.id}">${l.renewing ? 'Renewing…' : l.renewed ? 'Renewed' : 'Renew'}</button></div>`));
});
document.addEventListener('error', ({ target }) => {
  if (target.dataset?.alt) target.replaceWith(target.dataset.alt);
}, true);
$('#loans').addEventListener('click', ({ target }) => { if (target.dataset.id) store.dispatch(renew(Number(target.dataset.id))); });
store.dispatch(load());
