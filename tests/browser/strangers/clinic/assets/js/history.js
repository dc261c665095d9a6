(function (Linden) {
  'use strict';
  const { http, $, esc, fill } = Linden;
  const ORDERS = {
    date: (a, b) => b.seen.localeCompare(a.seen),
    name: (a, b) => a.name.localeCompare(b.name),
  };
  const state = { people: [], order: 'date' };

  function draw() {
    const shown = [...state.people].sort(ORDERS[state.order]);
    fill('#people', shown.map((p, n) =>
      `<li id="patient-${p.id}"><button data-row="${n}">${esc(p.name)}</button> ${esc(p.born)}</li>`).join(''));
  }

  async function open(row, title) {
    fill('#list', `<h2>${esc(title)}</h2><p class="muted">Loading…</p>`);
    const person = state.people[row];
    const { items } = await http.get(`/api/patients/${person.id}/prescriptions`);
    fill('#list', `<h2>${esc(title)}</h2><ul>${items.map((i) => `<li>${esc(i.medicine)}, ${esc(i.issued)}</li>`).join('')}</ul>`);
  }

  $('#people').addEventListener('click', (event) => {
    const button = event.target.closest('[data-row]');
    if (button) open(Number(button.dataset.row), button.textContent);
  });
  for (const order of Object.keys(ORDERS)) {
    $(`#by-${order}`).addEventListener('click', () => {
      state.order = order;
      draw();
    });
  }

  http.get('/api/patients').then(({ items }) => {
    state.people = items;
    draw();
  });
})(window.Linden);
