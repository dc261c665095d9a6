import { getJson } from '/assets/lib/http.js';
import { $, safe, money } from '/assets/lib/dom.js';

const sale = window.__SALE__ ?? { open: false, kinds: [] };

const kind = ({ name, cents, left }) => `
  <div class="card">
    <strong>${safe(name)}</strong> ${money(cents)} <span class="muted">${left} left</span>
    <button data-kind="${safe(name)}">Take it</button>
  </div>`;

const closed = `<div class="card"><p>The sale has not begun yet.</p><p class="muted">Leave your address and we write when it does.</p></div>`;

$('#sale').innerHTML = sale.open ? sale.kinds.map(kind).join('') : closed;
$('#sale').addEventListener('click', event => {
  const chosen = event.target.dataset?.kind;
  if (chosen) $('#chosen').textContent = `In your basket: ${chosen}`;
});

const { faq } = await getJson('/api/tickets/faq');
$('#faq').innerHTML = faq.map(({ q, a }) => `<dt>${safe(q)}</dt><dd>${safe(a)}</dd>`).join('');
