import { api } from '/assets/core/api.js';
import { $, esc, html } from '/assets/core/html.js';

const person = { id: 6, name: 'Petra Voss' };

function row(shift) {
  return html`<tr><td>${esc(shift.day)}</td><td>${esc(shift.hours)}</td>
    <td class="who">${shift.open ? 'open' : 'taken'}</td>
    <td><button class="assign" data-shift="${shift.id}" title="Assign to me"><span class="ico">+</span></button></td></tr>`;
}

function on(root, type, selector, run) {
  root.addEventListener(type, (event) => {
    if (event.target.matches(selector)) run(event.target, event);
  });
}

on($('#shifts'), 'click', 'button.assign', async (button) => {
  button.disabled = true;
  await api.post(`/api/roster/${button.dataset.shift}/assignment`, { person: person.id });
  button.closest('tr').querySelector('.who').textContent = person.name;
  $('#note').textContent = 'Assigned.';
});

const { shifts } = await api.get('/api/roster?weeks=2');
$('#shifts').innerHTML = shifts.map(row).join('');
